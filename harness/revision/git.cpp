#include "revision/git.h"

#include "base/error.h"
#include "revision/failure.h"
#include "runner/run_program.h"
#include "runner/user_environment.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace tune::revision {

namespace {

constexpr std::int64_t kLongestNs = 3'600'000'000'000;  // of a checkout that fetches large files

// Hints may stand before and after the line that counts.
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

}  // namespace tune::revision
