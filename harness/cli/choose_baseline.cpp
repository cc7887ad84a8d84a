#include "cli/choose_baseline.h"

#include "base/error.h"
#include "base/text.h"
#include "cli/answer.h"
#include "machine/user_folders.h"
#include "measure/gate/fingerprint.h"
#include "measure/gate/stored_baseline.h"
#include "trial/environment_knob.h"
#include "trial/knob_catalog.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tune::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStored = "stored:", kGit = "git:", kFile = "file:";

// Without the prefix, if there is one; what is left must name something.
bool take_prefix(std::string& word, std::string_view prefix, const std::string& role) {
  if (!word.starts_with(prefix)) {
    return false;
  }
  if (word.size() == prefix.size()) {
    throw Error(Error::Parts{"--" + role + " " + word,
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
    return trial::is_knob(key);
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
                                          "both commits need the scenario: commit it first, then "
                                          "the change to judge",
                                          ""});
  }
  return revisions;
}

std::optional<GateRevisions> against_main(const std::string& file) {
  const auto repository = revision::find_repository(file, nullptr);
  const auto head = repository ? revision::find_commit(*repository, "HEAD") : std::nullopt;
  if (!head || !revision::holds_file(*repository, *head, path_in(*repository, file))) {
    return std::nullopt;
  }
  revision::Revision base = revision::merge_base_with_main(*repository);
  if (base.commit == *head) {
    std::cerr << "HEAD is " << base.words
              << ": this gate compares HEAD with itself; the last commit "
              << "alone: tune gate " << typed_path(file) << " --baseline HEAD~1\n";
  }
  return compared(file, *repository, std::move(base));
}

// `names`: of stored baselines, where one could be meant.
[[noreturn]] void complain_missing(const std::string& role,
                                   const std::string& name,
                                   const std::optional<revision::Repository>& repository,
                                   const std::vector<std::string>& names) {
  std::string why = "the scenario is not in a clone of git, or git is not installed";
  std::string suggestion = did_you_mean(name, names);
  if (repository) {
    why = "neither a stored baseline (tune baseline list) nor a file of one nor a revision in " +
          repository->top.string();
    if (repository->is_shallow) {
      why += ", a shallow clone: its history is cut off";
      suggestion = "git fetch --unshallow (in CI: fetch-depth: 0, GIT_DEPTH: 0)";
    } else if (suggestion.empty() && revision::find_commit(*repository, "origin/" + name)) {
      suggestion = "origin/" + name;
    }
  }
  throw gate::Incomparable(Error::Parts{role + " " + name, "there is none", why, suggestion});
}

// True when the word said itself that it is a stored one, or a file.
bool take_stored(GateRequest& request, const std::string& role) {
  std::string name = request.baseline;
  request.baseline_is_file = take_prefix(name, kFile, role);
  if (request.baseline_is_file || take_prefix(name, kStored, role)) {
    request.baseline = name;
    return true;
  }
  return false;
}

// Kind and prefix.
using Meanings = std::vector<std::pair<std::string, std::string_view>>;

// What a word may be of what was stored.
Meanings stored_meanings(const std::string& word, const std::vector<std::string>& names) {
  Meanings meanings;
  if (std::find(names.begin(), names.end(), word) != names.end()) {
    meanings.emplace_back("a stored baseline", kStored);
  }
  if (names_baseline_file(word)) {
    meanings.emplace_back("a file", kFile);
  }
  return meanings;
}

void check_one(const std::string& role, const std::string& name, const Meanings& meanings) {
  if (meanings.size() < 2) {
    return;
  }
  std::string kinds, words;
  for (const auto& [kind, prefix] : meanings) {
    kinds += (kinds.empty() ? "" : " or ") + kind;
    words += (words.empty() ? "" : " or ") + std::string(prefix) + name;
  }
  throw Error(Error::Parts{"--" + role + " " + name, "may be " + kinds, "say which", words});
}

}  // namespace

bool names_baseline_file(const std::string& word) {
  std::error_code failed;
  return (word.find('/') != std::string::npos || word.ends_with(".json")) &&
         fs::is_regular_file(word, failed);
}

void choose_stored_baseline(GateRequest& request) {
  const std::string role = "baseline";
  std::string name = request.baseline;
  if (take_stored(request, role)) {
    return;
  }
  if (take_prefix(name, kGit, role)) {
    throw Error(Error::Parts{"baseline " + request.baseline,
                             "is a revision",
                             "nothing is measured here",
                             "the name or the file of a stored baseline"});
  }
  const Meanings meanings = stored_meanings(name, gate::baseline_names(machine::data_folder()));
  check_one(role, name, meanings);
  request.baseline_is_file = !meanings.empty() && meanings.front().second == kFile;
}

std::optional<GateRevisions> choose_baseline(GateRequest& request, const std::string& role) {
  std::error_code ignored;
  if (!request.against.empty() || !fs::exists(request.file, ignored)) {
    return std::nullopt;  // read_gate_sources() says what is wrong
  }
  if (request.baseline.empty()) {
    const bool is_setting = sets_a_knob(request) || !request.inject.empty();
    return is_setting ? std::nullopt : against_main(request.file);
  }
  if (take_stored(request, role)) {
    return std::nullopt;
  }
  std::string name = request.baseline;
  const bool is_git = take_prefix(name, kGit, role);
  const std::vector<std::string> names = gate::baseline_names(machine::data_folder());
  Meanings meanings = is_git ? Meanings() : stored_meanings(name, names);
  const bool is_stored = !meanings.empty();
  const bool is_file = is_stored && meanings.front().second == kFile;
  const auto repository = revision::find_repository(request.file, nullptr);
  const auto commit = repository ? revision::find_commit(*repository, name) : std::nullopt;
  if (commit) {
    meanings.emplace_back("a revision", kGit);
  }
  check_one(role, name, meanings);
  if (commit) {
    request.baseline.clear();
    return compared(request.file, *repository, {.commit = *commit, .words = name});
  }
  if (is_git || (repository && !is_stored)) {
    complain_missing(role, name, repository, is_git ? std::vector<std::string>() : names);
  }
  request.baseline_is_file = is_file;
  return std::nullopt;  // a stored one; when it is missing, load_baseline() says what is near
}

gate::StoredBaseline load_stored(const GateRequest& request) {
  return request.baseline_is_file ? gate::load_baseline_file(request.baseline)
                                  : gate::load_baseline(machine::data_folder(), request.baseline);
}

std::optional<gate::StoredSide> find_stored(gate::GateResult& result, const GateRequest& request) {
  if (request.baseline.empty()) {
    return std::nullopt;
  }
  const gate::StoredBaseline baseline = load_stored(request);
  const gate::Fingerprint now = gate::fingerprint(
      result.run.machine, result.run.scenario.sha256, result.run.data.manifest_sha256);
  gate::StoredSide side = gate::usable_side(baseline, now, result.policy);
  const std::string& utc = baseline.recordings.back().utc;
  result.baseline.words = (request.baseline_is_file ? "baseline file " : "stored baseline ") +
                          request.baseline + " of " + utc;
  const auto days = gate::days_between(utc, result.run.started_utc);
  if (days && *days > gate::kOldAfterDays) {
    result.run.warnings.push_back("baseline " + request.baseline + " is " + std::to_string(*days) +
                                  " days old: machines change, record it again");
  }
  const std::string change = gate::model_change(baseline, result.candidate.spec.workload.own);
  if (!change.empty()) {
    result.run.warnings.push_back(change);
  }
  result.run.warnings.push_back(
      "the baseline was not measured again: what changed on the machine since " + utc +
      " counts against the candidate");
  return side;
}

}  // namespace tune::cli
