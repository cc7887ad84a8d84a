#pragma once

#include "machine/machine_facts.h"
#include "runner/trial_outcome.h"
#include "scenario/cell.h"
#include "scenario/scenario.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::campaign {

/// A number with its exact order-statistic interval.
struct Estimate {
  double value = 0;                    ///< the median
  std::optional<double> lower, upper;  ///< nothing when n is too small for any interval (n < 2)
  double confidence = 0;               ///< what the interval covers, e.g. 0.96875 for n = 6
  std::int64_t n = 0;
  std::string warning;  ///< "too few samples for 95 %: this interval covers 75 %", or ""
};

/// One trial as the ledger keeps it.
struct TrialRecord {
  trial::TrialSpec spec;
  std::string stage;          ///< "search" or "confirm"
  std::int64_t round = 0;     ///< from 1, counted per stage
  std::int64_t position = 0;  ///< place in the round's random order, from 0
  runner::TrialOutcome outcome;
};

struct CellResult {
  scenario::Cell cell;
  std::string outcome;      ///< completed, or the kind of its first failure, or "not-run"
  std::string reason;       ///< of the failure, or why it was not run; of a completed cell: what is
                            ///< missing or failed in other rounds
  std::int64_t rounds = 0;  ///< search rounds completed
  std::optional<Estimate> throughput;  ///< samples per second over the search rounds
  std::optional<Estimate>
      gain;  ///< against the baseline of the same round, ratio - 1; not for the baseline
  std::optional<std::int64_t> peak_memory_bytes;
  std::optional<trial::PhaseSums> phases;  ///< summed over all slices of all search rounds
  bool disturbed = false;  ///< in some trial others used its CPUs, or the stock did not match
  bool stalls = false;     ///< median slice rate differs by > 1 % from the rate of the sum
};

/// The fresh rounds after the search: the only source of the headline.
struct Confirmation {
  std::string cell;
  std::int64_t pairs = 0;  ///< rounds in which both sides completed
  std::int64_t wanted = 0;
  Estimate baseline, best;  ///< samples per second
  Estimate gain;            ///< ratio - 1 of the same round's baseline
};

/// Everything one `tune run` found; all of it can be rebuilt from the run directory.
struct CampaignResult {
  std::filesystem::path directory;
  scenario::Scenario scenario;
  scenario::Plan plan;
  machine::MachineFacts machine;
  std::string tune_version, commit;
  std::string started_utc;           ///< ISO 8601
  std::int64_t elapsed_ns = 0;       ///< over all sittings of a resumed run
  std::vector<std::string> command;  ///< as typed

  std::uint64_t seed = 0;              ///< of the order of trials
  std::vector<std::string> overrides;  ///< --set, --rounds, ... as "key=value"
  trial::Data data;                    ///< as every trial got it
  std::string worker, worker_sha256;   ///< the program that ran the trials
  std::int64_t sittings = 0;           ///< 1, and one more for each --resume

  /// Baseline first, then the best (ties within 1 %: fewest changed knobs, then least memory), then
  /// best median gain first, failures last.
  std::vector<CellResult> cells;
  std::optional<Confirmation> confirmation;
  std::vector<TrialRecord> trials;  ///< in the order run
  std::int64_t trials_failed = 0;
  bool complete = true;             ///< false: promised work is missing (exit 6)
  bool baseline_failed = false;     ///< given up, in the search or in the confirming rounds
  std::int64_t trials_missing = 0;  ///< that --resume would run
  /// A budget that would do for the rest; set when the budget is why trials are missing.
  std::optional<std::int64_t> budget_wanted_ns;
  std::string incomplete_reason;      ///< "budget of 5m used up: 12 of 72 trials missing"
  std::vector<std::string> warnings;  ///< "3 of 12 cells failed", "the data set was made anew", ...
};

}  // namespace tune::campaign
