#pragma once

#include "campaign/campaign_result.h"
#include "campaign/slot.h"

#include <cstddef>
#include <cstdint>
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
  std::int64_t remaining_ns = 0;  ///< from measured costs, at most what is left of the budget
  Slot slot;                      ///< that runs, or ran last
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

}  // namespace tune::campaign
