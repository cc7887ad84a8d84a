#pragma once

#include "campaign/campaign_result.h"
#include "campaign/progress.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tune::campaign {

/// Where a running campaign stands, for whoever shows it.
struct Standpoint {
  std::int64_t done = 0, total = 0;  ///< trials; the total is what is known now
  std::int64_t elapsed_ns = 0;
  std::int64_t remaining_ns = 0;  ///< from measured costs, at most what is left of the budget
  Slot slot;                      ///< that runs, or ran last
  const scenario::Cell* cell = nullptr;

  // The best so far; empty before the first round is over.
  const scenario::Cell* best = nullptr;
  double best_gain = 0;
  std::int64_t best_rounds = 0;
};

/// Shows a campaign to somebody; what it does must not take time while a trial measures.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void trial_begins(const Standpoint& standpoint) = 0;
  virtual void trial_ended(const Standpoint& standpoint, const TrialRecord& record) = 0;
};

}  // namespace tune::campaign
