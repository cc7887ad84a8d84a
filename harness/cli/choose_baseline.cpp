#include "cli/choose_baseline.h"

#include "base/did_you_mean.h"
#include "base/error.h"
#include "gate/incomparable.h"
#include "gate/stored_baseline.h"
#include "machine/user_folders.h"
#include "trial/knob_catalog.h"
#include "trial/plugin_knob.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStored = "stored:", kGit = "git:";

// Without the prefix, if there is one; what is left must name something.
bool take_prefix(std::string& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) {
    return false;
  }
  if (word.size() == prefix.size()) {
    throw Error(Error::Parts{"--baseline " + word,
                             "names nothing",
                             "a name follows the colon",
                             std::string(prefix) + "main"});
  }
  word.erase(0, prefix.size());
  return true;
}

bool sets_a_knob(const GateRequest& request) {
  return std::any_of(request.sets.begin(), request.sets.end(), [](const std::string& set) {
    const std::string key = set.substr(0, set.find('='));
    return trial::find_knob(key) != nullptr || trial::is_plugin_knob(key);
  });
}

fs::path path_in(const revision::Repository& repository, const std::string& file) {
  std::error_code failed;  // then nothing is found under the empty path
  return fs::weakly_canonical(file, failed).lexically_relative(repository.top);
}

// What is measured must be what is committed, or the verdict would be on something that nobody has.
void check_clean(const revision::Repository& repository) {
  const std::vector<std::string> changed = revision::changed_files(repository);
  if (changed.empty()) {
    return;
  }
  constexpr std::size_t kShown = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(changed.size(), kShown); ++i) {
    list += (i > 0 ? ", " : "") + changed[i];
  }
  list += changed.size() > kShown
              ? " and " + std::to_string(changed.size() - kShown) + " more files"
              : "";
  throw Error(Error::Parts{repository.top.string(),
                           "has changes that are not committed",
                           "a gate across revisions measures commits: " + list,
                           "commit or stash them, or compare settings with --set or --against"});
}

GateRevisions compared(const std::string& file,
                       const revision::Repository& repository,
                       revision::Revision baseline) {
  GateRevisions revisions{.repository = repository,
                          .file = path_in(repository, file),
                          .baseline = std::move(baseline),
                          .candidate = {.commit = "", .words = "HEAD"}};
  const auto head = revision::find_commit(repository, "HEAD");
  if (!head || !revision::holds_file(repository, *head, revisions.file)) {
    throw Error(Error::Parts{file,
                             "is not committed",
                             "a gate across revisions measures commits, of both sides",
                             "git add and commit it"});
  }
  revisions.candidate.commit = *head;
  check_clean(repository);
  if (!revision::holds_file(repository, revisions.baseline.commit, revisions.file)) {
    throw gate::Incomparable(Error::Parts{file,
                                          "is not in " + revisions.baseline.text(),
                                          "there is nothing to compare with",
                                          "a later --baseline REF"});
  }
  return revisions;
}

std::optional<GateRevisions> against_main(const std::string& file) {
  const auto repository = revision::find_repository(file, nullptr);
  const auto head = repository ? revision::find_commit(*repository, "HEAD") : std::nullopt;
  if (!head || !revision::holds_file(*repository, *head, path_in(*repository, file))) {
    return std::nullopt;
  }
  return compared(file, *repository, revision::merge_base_with_main(*repository));
}

// `names`: of stored baselines, where one could be meant.
[[noreturn]] void complain_missing(const std::string& name,
                                   const std::optional<revision::Repository>& repository,
                                   const std::vector<std::string>& names) {
  std::string why = "the scenario lies in no clone of git, or there is no program git";
  std::string suggestion = did_you_mean(name, names);
  if (repository) {
    why = "neither a stored baseline (tune baseline list) nor a revision in " +
          repository->top.string();
    if (repository->is_shallow) {
      why += ", a shallow clone: its history is cut off";
      suggestion = "git fetch --unshallow (in CI: fetch-depth: 0, GIT_DEPTH: 0)";
    } else if (suggestion.empty() && revision::find_commit(*repository, "origin/" + name)) {
      suggestion = "origin/" + name;
    }
  }
  throw gate::Incomparable(Error::Parts{"baseline " + name, "there is none", why, suggestion});
}

}  // namespace

std::optional<GateRevisions> choose_baseline(GateRequest& request) {
  std::error_code ignored;
  if (!request.against.empty() || !fs::exists(request.file, ignored)) {
    return std::nullopt;  // read_gate_sources() says what is wrong
  }
  if (request.baseline.empty()) {
    const bool is_setting = sets_a_knob(request) || !request.inject.empty();
    return is_setting ? std::nullopt : against_main(request.file);
  }
  std::string name = request.baseline;
  if (take_prefix(name, kStored)) {
    request.baseline = name;
    return std::nullopt;
  }
  const bool is_git = take_prefix(name, kGit);
  const std::vector<std::string> names = gate::baseline_names(machine::data_folder());
  const bool is_stored = !is_git && std::find(names.begin(), names.end(), name) != names.end();
  const auto repository = revision::find_repository(request.file, nullptr);
  const auto commit = repository ? revision::find_commit(*repository, name) : std::nullopt;
  if (is_stored && commit) {
    throw Error(Error::Parts{"--baseline " + name,
                             "may be a stored baseline or a revision",
                             "there are both",
                             "stored:" + name + " or git:" + name});
  }
  if (commit) {
    request.baseline.clear();
    return compared(request.file, *repository, {.commit = *commit, .words = name});
  }
  if (is_git || (repository && !is_stored)) {
    complain_missing(name, repository, is_git ? std::vector<std::string>() : names);
  }
  return std::nullopt;  // a stored one; when it is not there, load_baseline() says what is near
}

}  // namespace tune::cli
