#pragma once

// A machine made of rules: trials that take no time, on a clock that they move.

#include "base/file.h"
#include "invented_header.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_trials.h"
#include "test_folder.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tune::campaign {

inline constexpr std::int64_t kSecond = 1'000'000'000;

inline trial::TrialReply make_reply(const std::string& id, double rate, std::int64_t slices = 5) {
  trial::TrialReply reply;
  reply.id = id;
  for (std::int64_t i = 0; i < slices; ++i) {
    trial::Slice slice;
    slice.start_ns = i * 2 * kSecond;
    slice.steps = 1000;
    slice.samples = 1'000'000;
    slice.wall_ns = std::llround(1e15 / rate);
    slice.phases.forward_ns = slice.wall_ns;
    slice.start_ns = i * slice.wall_ns;
    reply.slices.push_back(slice);
  }
  reply.peak_memory_bytes = 100 << 20;
  return reply;
}

inline runner::TrialOutcome failed(runner::OutcomeKind kind, const std::string& reason) {
  runner::TrialOutcome outcome;
  outcome.kind = kind;
  outcome.reason = reason;
  return outcome;
}

/// Runs a trial by a rule: the cell's rate, with noise that depends on the trial's id alone, so
/// that a resumed campaign measures the same.
struct FakeMachine {
  std::int64_t now_ns = 1000 * kSecond;
  std::int64_t trial_ns = 2 * kSecond;
  double noise_ratio = 0.01;
  std::map<std::string, double> rates;  ///< of a cell; 100 for others
  std::function<std::optional<runner::TrialOutcome>(const trial::TrialSpec&)> mishap;
  std::function<void(const trial::TrialSpec&)> before;
  std::vector<std::string> ran;  ///< ids, in order

  runner::TrialOutcome operator()(const trial::TrialSpec& spec) {
    if (before) {
      before(spec);
    }
    ran.push_back(spec.id);
    const std::int64_t start_ns = now_ns;
    now_ns += trial_ns;
    auto outcome = mishap ? mishap(spec) : std::nullopt;
    if (!outcome) {
      const auto rate = rates.find(spec.cell);
      std::mt19937_64 random(std::hash<std::string>()(spec.id));
      std::normal_distribution<double> noise(0, noise_ratio);
      const double seen = (rate == rates.end() ? 100 : rate->second) * std::exp(noise(random));
      outcome = runner::TrialOutcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
      outcome->reply = make_reply(spec.id, seen, spec.measure.slices);
      write_file_synced(std::filesystem::path(spec.folder) / "reply.json",
                        trial::to_json(*outcome->reply));
    }
    outcome->start_ns = start_ns;
    outcome->end_ns = now_ns;
    return *outcome;
  }
};

inline std::set<std::string> distinct_ids(const std::vector<TrialRecord>& trials) {
  std::set<std::string> found;
  for (const TrialRecord& trial : trials) {
    found.insert(trial.spec.id);
  }
  return found;
}

class SilentWatcher : public Watcher {
 public:
  void trial_begins(const Standpoint& standpoint) override { begun.push_back(standpoint); }
  void trial_ended(const Standpoint& standpoint, const TrialRecord&) override {
    ended.push_back(standpoint);
    if (after) {
      after(standpoint);
    }
  }
  std::vector<Standpoint> begun, ended;
  std::function<void(const Standpoint&)> after;  ///< a trial; may throw
};

/// A grid of `intra_op_threads` 1 (the baseline) to `cells` + 1.
inline std::string scenario_text(
    int cells, const std::string& search = "{strategy: grid, confirm: 1, confirm_rounds: 6}") {
  std::string values = "1";
  for (int i = 2; i <= cells + 1; ++i) {
    values += ", " + std::to_string(i);
  }
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 64}\n"
         "baseline: {intra_op_threads: 1}\n"
         "grid:\n  intra_op_threads: [" +
         values + "]\nmeasure: {warmup: 2s, rounds: 3, slices: 5}\nsearch: " + search + "\n";
}

/// A campaign in a folder, run by a fake machine, in as many sittings as one likes.
class FakeCampaign {
 public:
  FakeCampaign(std::filesystem::path directory,
               const std::string& text,
               const std::vector<std::string>& overrides = {})
      : directory_(std::move(directory)) {
    const LedgerHeader header = invented_header(text, directory_ / "fake.yaml", overrides);
    Ledger::create(ledger_file(directory_), header);
  }

  /// One that is there already.
  explicit FakeCampaign(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Goes on where the ledger ends; returns why the sitting ended.
  std::string sit(FakeMachine& machine, const std::atomic<int>* stop = nullptr) {
    RecordedRun& run = runs_.emplace_back(read_recorded_run(directory_));
    Ledger ledger = Ledger::reopen(ledger_file(directory_), run.ledger.whole_bytes);
    campaign::Sitting sitting;
    sitting.started_utc = "2026-11-21T12:00:00Z";
    sitting.start_ns = machine.now_ns;
    sitting.host = host;
    sitting.budget_ns = budget_ns ? budget_ns : run.scenario.budget_ns;
    ledger.begin_sitting(sitting);
    const TrialLoop loop{.ledger = ledger,
                         .watcher = watcher,
                         .run_trial =
                             [&](const trial::TrialSpec& spec) {
                               runner::TrialOutcome outcome = machine(spec);
                               if (after_trial) {
                                 after_trial();
                               }
                               return outcome;
                             },
                         .now_ns = [&] { return machine.now_ns; },
                         .stop = stop,
                         .start_ns = sitting.start_ns,
                         .budget_ns = sitting.budget_ns,
                         .propose = propose,
                         .make_form = make_form,
                         .frees_trials = frees_trials};
    sitting.end_reason = run_trials(run, loop);
    sitting.end_ns = machine.now_ns;
    ledger.end_sitting(sitting);
    return sitting.end_reason;
  }

  const std::filesystem::path& directory() const { return directory_; }

  /// What the last sitting had in memory at its end.
  const std::vector<TrialRecord>& trials_in_memory() const { return runs_.back().trials; }

  std::optional<std::int64_t> budget_ns;                 ///< instead of the scenario's
  std::function<Proposals(const RecordedRun&)> propose;  ///< nothing: the rules are not asked
  /// Of fresh pairs; nothing: by injection.
  std::function<PairForm(const RecordedRun&, const scenario::Cell&)> make_form;
  std::function<void()> after_trial;  ///< before the campaign hears of it
  std::string host;                   ///< of the sittings
  bool frees_trials = true;           ///< as `tune run` does
  SilentWatcher watcher;

 private:
  std::filesystem::path directory_;
  std::list<RecordedRun> runs_;  // kept: what the watcher was shown points into them
};

/// What ran, in order, in sittings of which each is told to stop in its trial number `trials`,
/// until `most` trials have run or a sitting finds nothing to run.
inline std::vector<std::string> ran_in_short_sittings(
    std::size_t trials,
    std::size_t most,
    const std::function<void(FakeMachine& machine, const std::atomic<int>* stop)>& sit) {
  std::vector<std::string> ran;
  FakeMachine machine;
  while (ran.size() < most) {
    std::atomic<int> stop = 0;
    FakeMachine part = machine;
    std::size_t begun = 0;
    part.mishap = [&](const trial::TrialSpec&) -> std::optional<runner::TrialOutcome> {
      if (++begun == trials) {
        stop = 1;
      }
      return std::nullopt;
    };
    sit(part, &stop);
    ran.insert(ran.end(), part.ran.begin(), part.ran.end());
    machine.now_ns = part.now_ns;
    if (begun == 0) {
      break;
    }
  }
  return ran;
}

}  // namespace tune::campaign
