#include "measure/revision/repository.h"

#include "base/error.h"
#include "measure/runner/environment.h"
#include "measure/runner/run_program.h"

#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>

namespace tune::revision {

namespace {

constexpr std::int64_t kLongestNs = 3'600'000'000'000;  // of a checkout that fetches large files

// git may print hints before and after the line that counts.
std::string complaint_in(const std::string& text) {
  constexpr std::string_view kFatal = "fatal: ";
  const auto found = text.find(kFatal);
  const std::string rest = found == std::string::npos ? text : text.substr(found + kFatal.size());
  return rest.substr(0, rest.find('\n'));
}

}  // namespace

const std::vector<std::string>& variables_of_hooks() {
  static const std::vector<std::string> kNames = {"GIT_DIR",
                                                  "GIT_WORK_TREE",
                                                  "GIT_INDEX_FILE",
                                                  "GIT_PREFIX",
                                                  "GIT_COMMON_DIR",
                                                  "GIT_NAMESPACE"};
  return kNames;
}

GitAnswer ask_git(const std::filesystem::path& folder,
                  const std::vector<std::string>& words,
                  const std::atomic<int>* stop) {
  std::vector<std::string> arguments = {"-c", "core.hooksPath=/dev/null"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  // The messages are read here; and a question must not take a lock that the user's git waits for.
  const runner::ProgramRun run = runner::run_program(
      {.command = {.program = "git",
                   .arguments = std::move(arguments),
                   .environment = runner::user_environment(
                       variables_of_hooks(),
                       {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"}),
                   .folder = folder,
                   .second = runner::SecondPipe::answer},
       .timeout_ns = kLongestNs,
       .stop = stop});
  if (run.was_stopped) {
    throw Stopped();
  }
  if (run.was_late) {
    throw Error(Error::Parts{"git " + (words.empty() ? "" : words.front()),
                             "took more than an hour",
                             "in " + folder.string(),
                             ""});
  }
  GitAnswer answer;
  answer.is_yes = !run.end.signal && run.end.exit_code == 0;
  answer.text = run.answer;
  if (answer.text.ends_with('\n')) {
    answer.text.pop_back();
  }
  answer.message = complaint_in(run.output);
  return answer;
}

namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

bool has_git(const fs::path& folder, const std::atomic<int>* stop) {
  try {
    return ask_git(folder, {"--version"}, stop).is_yes;
  } catch (const Error&) {
    return false;
  }
}

std::optional<std::string> main_branch(const Repository& repository) {
  const GitAnswer head = ask_git(repository.top,
                                 {"symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"},
                                 repository.stop);
  if (head.is_yes && find_commit(repository, head.text)) {
    return head.text;
  }
  for (const char* const name : {"origin/main", "origin/master", "main", "master"}) {
    if (find_commit(repository, name)) {
      return name;
    }
  }
  return std::nullopt;
}

std::string object_name(const std::string& commit, const fs::path& path) {
  return commit + ":" + path.generic_string();
}

}  // namespace

std::string Revision::text() const {
  constexpr std::size_t kShort = 12;
  const std::string hash = commit.substr(0, kShort);
  const bool says_more = !words.empty() && !commit.starts_with(words);
  return says_more ? words + " at " + hash : hash;
}

std::optional<Repository> find_repository(const fs::path& file, const std::atomic<int>* stop) {
  std::error_code failed;
  const fs::path folder = fs::weakly_canonical(file, failed).parent_path();
  if (failed || !fs::is_directory(folder, failed) || !has_git(folder, stop)) {
    return std::nullopt;
  }
  const GitAnswer answer =
      ask_git(folder,
              {"rev-parse", "--show-toplevel", "--git-common-dir", "--is-shallow-repository"},
              stop);
  const std::vector<std::string> lines = lines_of(answer.text);
  if (answer.is_yes && lines.size() == 3) {
    const fs::path common = (folder / lines[1]).lexically_normal();
    return Repository{
        .top = lines[0], .common = common, .is_shallow = lines[2] == "true", .stop = stop};
  }
  for (const char* const harmless : {"not a git repository", "must be run in a work tree"}) {
    if (answer.message.find(harmless) != std::string::npos) {
      return std::nullopt;
    }
  }
  throw Error(Error::Parts{folder.string(), "git does not read this clone", answer.message, ""});
}

std::optional<std::string> find_commit(const Repository& repository, const std::string& name) {
  if (name.empty() || name.front() == '-') {  // git would take it for a flag
    return std::nullopt;
  }
  const GitAnswer answer = ask_git(
      repository.top, {"rev-parse", "--verify", "--quiet", name + "^{commit}"}, repository.stop);
  return answer.is_yes ? std::optional(answer.text) : std::nullopt;
}

Revision merge_base_with_main(const Repository& repository) {
  const std::string here = repository.top.string();
  if (repository.is_shallow) {
    throw Unavailable(
        Error::Parts{here,
                     "is a shallow clone: the merge base with the main branch cannot "
                     "be told",
                     "its history is cut off",
                     "git fetch --unshallow (in CI: fetch-depth: 0, GIT_DEPTH: 0), or "
                     "--baseline REF"});
  }
  const auto branch = main_branch(repository);
  if (!branch) {
    throw Unavailable(Error::Parts{here,
                                   "has no main branch to compare with",
                                   "neither origin/HEAD, origin/main, origin/master, main nor "
                                   "master is there",
                                   "--baseline REF"});
  }
  const GitAnswer base = ask_git(repository.top, {"merge-base", "HEAD", *branch}, repository.stop);
  if (!base.is_yes) {
    throw Unavailable(Error::Parts{
        here, "HEAD and " + *branch + " have no commit in common", base.message, "--baseline REF"});
  }
  return {.commit = base.text, .words = "the merge base with " + *branch};
}

std::vector<std::string> changed_files(const Repository& repository) {
  const GitAnswer answer =
      ask_git(repository.top, {"status", "--porcelain", "--untracked-files=no"}, repository.stop);
  if (!answer.is_yes) {
    throw Error(Error::Parts{repository.top.string(), "git status fails here", answer.message, ""});
  }
  return lines_of(answer.text);
}

bool holds_file(const Repository& repository, const std::string& commit, const fs::path& path) {
  const GitAnswer answer =
      ask_git(repository.top, {"cat-file", "-e", object_name(commit, path)}, repository.stop);
  return answer.is_yes;
}

std::string file_text(const Repository& repository,
                      const std::string& commit,
                      const fs::path& path) {
  const GitAnswer answer =
      ask_git(repository.top, {"cat-file", "blob", object_name(commit, path)}, repository.stop);
  if (!answer.is_yes) {
    throw Unavailable(Error::Parts{
        path.generic_string(), "is not in commit " + commit.substr(0, 12), answer.message, ""});
  }
  return answer.text + "\n";
}

}  // namespace tune::revision
