#pragma once

#include "campaign/cell_history.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace tune::campaign {

/// What a trial takes before any has been run: the least that the scenario's measuring asks for,
/// and about a second to start.
std::int64_t expected_trial_ns(const scenario::Scenario& scenario);

/// Wall time of the next trial of a cell: the mean of its own so far, else of all cells', else what
/// is expected.
class TrialCost {
 public:
  explicit TrialCost(const scenario::Scenario& scenario)
      : expected_ns_(expected_trial_ns(scenario)) {}

  void add(const CellHistory& before, const CellHistory& after);
  std::int64_t of(const CellHistory& history) const;
  bool measured() const { return trials_ > 0; }

 private:
  std::int64_t expected_ns_;
  std::int64_t total_ns_ = 0, trials_ = 0;
};

}  // namespace tune::campaign
