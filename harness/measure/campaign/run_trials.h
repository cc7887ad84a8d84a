#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/ledger.h"
#include "measure/campaign/progress.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/recorded_run.h"
#include "measure/runner/run_trial.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tune::campaign {

/// A cell's place in the search so far.
struct Place {
  const scenario::Cell* cell = nullptr;
  double gain = 0;          ///< median against the baseline of the same round, ratio - 1
  std::int64_t rounds = 0;  ///< behind it
};

/// Where a running campaign stands, for whoever shows it.
struct Standpoint {
  std::int64_t done = 0, total = 0;  ///< trials; the total is what is known now
  bool total_is_known = true;        ///< false: a guided search may want more
  std::int64_t elapsed_ns = 0;
  /// From measured costs, at most what is left of the budget; all that is left of it where a guided
  /// search may want more.
  std::int64_t remaining_ns = 0;
  bool has_budget = false;
  Slot slot;  ///< that runs, or ran last
  const scenario::Cell* cell = nullptr;

  /// Best first, at most kMostPlaces; provisional, and empty before the first round is over.
  std::vector<Place> ranking;
  static constexpr std::size_t kMostPlaces = 5;
};

/// Shows a campaign to somebody; what it does must not take time while a trial measures.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void trial_begins(const Standpoint& standpoint) = 0;
  virtual void trial_ended(const Standpoint& standpoint, const TrialRecord& record) = 0;
};

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
  /// How a script is given the setting of a cell in its fresh pairs, asked once before the first;
  /// nothing: it is injected. What it throws ends the sitting.
  std::function<PairForm(const RecordedRun&, const scenario::Cell&)> make_form = nullptr;
  /// The first trial that fails ends the sitting; running out of memory does not.
  bool fail_fast = false;
  /// Once their numbers are counted, completed trials of the search leave `run.trials`, so that
  /// memory does not grow with them; their replies are on disk. False where somebody reads them.
  bool frees_trials = false;
};

/// Runs what is missing of a campaign and appends to `run.trials` and to the ledger. Returns why it
/// ended: finished, budget, baseline-failed, trial-failed or interrupted.
std::string run_trials(RecordedRun& run, const TrialLoop& loop);

}  // namespace tune::campaign
