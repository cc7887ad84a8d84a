#include "measure/campaign/join_shards.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/summarise.h"
#include "measure/runner/output_log.h"
#include "scenario/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace tune::campaign {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = 64 << 20;  // of those whose trial gets a new name

std::vector<std::string> common_overrides(const RecordedRun& shard) {
  std::vector<std::string> kept = shard.ledger.header.overrides;
  std::erase_if(kept, [](const std::string& assignment) {
    return assignment.starts_with("shard=") || assignment.starts_with("seed=") ||
           assignment.starts_with("budget=");
  });
  return kept;
}

bool has_same_data(const trial::Data& a, const trial::Data& b) {
  trial::Data moved = a;  // each machine keeps its copy where it likes
  if (!a.manifest_sha256.empty()) {
    moved.path = b.path;
  }
  return moved == b;
}

// In what the shard is another one than the first; "" when it belongs to it.
std::string foreign_part(const RecordedRun& first, const RecordedRun& shard) {
  const LedgerHeader& a = first.ledger.header;
  const LedgerHeader& b = shard.ledger.header;
  if (a.scenario_sha256 != b.scenario_sha256) {
    return "scenario (" + runner::printable(b.scenario_file) + ")";
  }
  if (first.scenario.shard->of != shard.scenario.shard->of) {
    return "number of shards (" + std::to_string(shard.scenario.shard->of) + ")";
  }
  if (common_overrides(first) != common_overrides(shard)) {
    return "set of flags";
  }
  if (a.tune_version != b.tune_version || a.commit != b.commit) {
    return "tune (" + runner::printable(b.tune_version) + ", commit " +
           runner::printable(b.commit) + ")";
  }
  if (a.worker_sha256 != b.worker_sha256) {
    return "tune-worker (" + runner::printable(b.worker) + ")";
  }
  if (a.model_sha256 != b.model_sha256) {
    return "model";
  }
  return has_same_data(a.data, b.data) ? "" : "data set (" + runner::printable(b.data.path) + ")";
}

// A file of JSON that names its trial by "id".
void copy_named(const fs::path& from, const fs::path& to, const std::string& id) {
  nlohmann::json json;
  try {
    json = parse_json(read_file(from, kLargestFile), from.string());
  } catch (const Error&) {  // what the worker left half written, or nested without end
  }
  if (!json.is_object()) {
    fs::copy_file(from, to);
    return;
  }
  json["id"] = id;
  write_file_synced(to, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// Plain files only: a link may lead out of the run.
void copy_trial(const fs::path& from, const fs::path& to, const std::string& id) {
  fs::create_directories(to);
  if (!fs::is_directory(fs::symlink_status(from))) {
    return;  // a trial that failed early may have left nothing
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path name = entry.path().filename();
    if (!fs::is_regular_file(entry.symlink_status())) {
      continue;
    }
    if (name == "reply.json" || name == "spec.json") {
      copy_named(entry.path(), to / name, id);
    } else {
      fs::copy_file(entry.path(), to / name);
    }
  }
}

fs::path joining_mark(const fs::path& directory) {
  return directory / ".joining";
}

// The folder of the trials, taken away again unless the joining ends well; what a joining that was
// killed left in it goes first.
class NewTrials {
 public:
  explicit NewTrials(const fs::path& directory)
      : mark_(joining_mark(directory)), folder_(directory / "trials") {
    const std::ofstream mark(mark_);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~NewTrials() {
    std::error_code ignored;
    if (!is_kept_) {
      fs::remove_all(folder_, ignored);
    }
    fs::remove(mark_, ignored);
  }
  NewTrials(const NewTrials&) = delete;
  NewTrials& operator=(const NewTrials&) = delete;
  void keep() { is_kept_ = true; }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path mark_, folder_;
  bool is_kept_ = false;
};

LedgerHeader header_of(const std::vector<RecordedRun>& shards, const JoinedHeader& own) {
  LedgerHeader header = shards.front().ledger.header;
  std::erase_if(header.overrides,
                [](const std::string& assignment) { return assignment.starts_with("shard="); });
  header.plan_sha256 = plan_hash(whole_plan(shards.front()));
  header.command = own.command;
  header.shards.clear();
  for (const RecordedRun& shard : shards) {
    const LedgerHeader& of = shard.ledger.header;
    header.shards.push_back({.directory = shard.directory.string(),
                             .started_utc = of.started_utc,
                             .seed = of.seed,
                             .machine = of.machine});
    header.started_utc = std::min(header.started_utc, of.started_utc);
  }
  return header;
}

// Rounds of a stage, counted on from shard to shard.
class RoundCount {
 public:
  explicit RoundCount(std::int64_t search_rounds) : search_rounds_(search_rounds) {}

  std::int64_t joined(const LoggedTrial& trial) {
    std::int64_t& most = most_[trial.stage];
    most = std::max(most, trial.round);
    return before_[trial.stage] + trial.round;
  }

  void end_shard() {
    for (const auto& [stage, most] : most_) {
      before_[stage] += stage == "search" ? search_rounds_ : most;
    }
    most_.clear();
  }

 private:
  std::int64_t search_rounds_;
  std::map<std::string, std::int64_t> before_, most_;
};

// The lines of one shard.
std::string lines_of(const RecordedRun& shard,
                     std::int64_t number,
                     RoundCount& rounds,
                     const fs::path& trials) {
  std::string text;
  const auto& sittings = shard.ledger.sittings;
  for (std::size_t place = 0; place < sittings.size(); ++place) {
    Sitting sitting = sittings[place];
    sitting.shard = number;
    sitting.end_ns = sitting.start_ns + sitting.elapsed_ns();  // also of one that was killed
    text += sitting_start_line(sitting) + "\n";
    for (LoggedTrial trial : shard.ledger.trials) {
      if (trial.sitting != place) {
        continue;
      }
      const std::string before = trial.id;
      trial.round = rounds.joined(trial);
      trial.id = trial_id(trial.stage, trial.round, trial.cell, trial.attempt);
      if (!trial.reply.empty()) {
        trial.reply = "trials/" + trial.id + "/reply.json";
      }
      copy_trial(shard.directory / "trials" / before, trials / trial.id, trial.id);
      text += to_line(trial) + "\n";
    }
    text += sitting_end_line(sitting) + "\n";
  }
  return text;
}

}  // namespace

std::string why_unfinished(const RecordedRun& shard) {
  const CampaignResult result = summarise(shard);
  return result.complete ? "" : result.incomplete_reason;
}

void check_shards_belong(const std::vector<RecordedRun>& shards) {
  std::map<std::int64_t, const RecordedRun*> known;
  for (const RecordedRun& shard : shards) {
    const std::string where = shard.directory.string();
    if (!shard.scenario.shard) {
      throw Error(Error::Parts{where,
                               "is not a shard",
                               shard.scenario.joined_shards > 0 ? "it was joined from shards"
                                                                : "it was run without --shard",
                               ""});
    }
    const std::string foreign = foreign_part(shards.front(), shard);
    if (!foreign.empty()) {
      throw Error(Error::Parts{where,
                               "does not belong to " + shards.front().directory.string(),
                               "it was measured with another " + foreign,
                               ""});
    }
    const auto [same, is_new] = known.emplace(shard.scenario.shard->index, &shard);
    if (!is_new) {
      throw Error(Error::Parts{where,
                               "is shard " + scenario::to_text(*shard.scenario.shard),
                               "so is " + same->second->directory.string(),
                               "name one of them"});
    }
  }
}

scenario::Plan whole_plan(const RecordedRun& shard) {
  scenario::Scenario whole = shard.scenario;
  whole.shard.reset();
  return scenario::make_plan(whole, shard.ledger.header.machine);
}

void join_shards(std::vector<RecordedRun> shards,
                 const fs::path& directory,
                 const JoinedHeader& header) {
  std::sort(shards.begin(), shards.end(), [](const RecordedRun& a, const RecordedRun& b) {
    return a.scenario.shard->index < b.scenario.shard->index;
  });
  try {
    NewTrials made(directory);
    std::string text = to_line(header_of(shards, header)) + "\n";
    RoundCount rounds(shards.front().scenario.rounds);
    for (std::size_t i = 0; i < shards.size(); ++i) {
      text += lines_of(shards[i], static_cast<std::int64_t>(i) + 1, rounds, made.folder());
      rounds.end_shard();
    }
    write_file_synced(ledger_file(directory), text);
    made.keep();
  } catch (const fs::filesystem_error& failed) {  // a disk that is full, no right to read
    throw_failed_call(failed.path1(), "cannot be copied", failed.code().value());
  }
}

bool is_broken_off_joining(const fs::path& directory) {
  std::error_code failed;
  return fs::exists(joining_mark(directory), failed) && !fs::exists(ledger_file(directory), failed);
}

void leave_rounds_of_other_hosts(RecordedRun& run, Ledger& ledger, const std::string& host) {
  Progress progress(run.scenario, run.plan, run.ledger.header.machine, run.ledger.proposals);
  for (const TrialRecord& trial : run.trials) {
    progress.add(trial);
  }
  const auto is_whole = [&](std::int64_t round) {
    return std::all_of(
        progress.histories().begin(), progress.histories().end(), [&](const auto& history) {
          return history.search.given_up() || history.search.finished.contains(round);
        });
  };
  std::set<std::string> left;
  for (const TrialRecord& trial : run.trials) {
    const std::string& measured_on = run.ledger.sittings[trial.sitting].host;
    if (trial.stage == "search" && !measured_on.empty() && measured_on != host &&
        !is_whole(trial.round)) {
      const ForgottenTrial forgotten{
          trial.spec.id,
          "measured on " + runner::printable(measured_on) + ", where its round was not finished"};
      ledger.forget(forgotten);
      run.ledger.forgotten.push_back(forgotten);
      left.insert(forgotten.id);
    }
  }
  std::erase_if(run.trials, [&](const TrialRecord& trial) { return left.contains(trial.spec.id); });
  std::erase_if(run.ledger.trials,
                [&](const LoggedTrial& trial) { return left.contains(trial.id); });
}

}  // namespace tune::campaign
