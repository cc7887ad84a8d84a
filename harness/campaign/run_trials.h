#pragma once

#include "campaign/ledger.h"
#include "campaign/progress.h"
#include "campaign/proposal.h"
#include "campaign/recorded_run.h"
#include "campaign/watcher.h"
#include "runner/run_trial.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace tune::campaign {

/// What a sitting works with; all of it outlives the call.
struct TrialLoop {
  Ledger& ledger;
  Watcher& watcher;
  runner::TrialRunner run_trial;
  std::function<std::int64_t()> now_ns;    ///< CLOCK_MONOTONIC, or a test's own
  const std::atomic<int>* stop = nullptr;  ///< not 0: end the sitting
  std::int64_t start_ns = 0;               ///< when the sitting began
  std::optional<std::int64_t> budget_ns;   ///< of the whole campaign
  /// Asks the rules what the first trials of the baseline say, and gets no others; nothing: no
  /// proposals, and no trials for a diagnosis before the search. What it throws ends the sitting.
  std::function<Proposals(const RecordedRun&)> propose = nullptr;
  /// The first trial that failed ends the sitting; want of memory does not.
  bool fail_fast = false;
};

/// Runs what is missing of a campaign and appends to `run.trials` and to the ledger. Returns why it
/// ended: finished, budget, baseline-failed, trial-failed or interrupted.
std::string run_trials(RecordedRun& run, const TrialLoop& loop);

}  // namespace tune::campaign
