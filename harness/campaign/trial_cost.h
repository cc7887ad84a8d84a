#pragma once

#include "campaign/campaign_result.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::campaign {

/// What the recorded steps of a trial took, and the writing of their trace; 0 where it has none.
std::int64_t profile_ns(const TrialRecord& record);

/// Wall time, without recorded steps, of the next trial of a cell: what its trials took around
/// their slices, and so much a slice; of its own trials, else of all cells', else the least that
/// the scenario asks for and about a second to start.
class TrialCost {
 public:
  TrialCost(const scenario::Scenario& scenario, std::size_t cells);

  void add(std::size_t cell, const TrialRecord& record);
  std::int64_t of(std::size_t cell, std::int64_t slices) const;
  bool measured() const { return all_.trials > 0; }

 private:
  struct Sums {
    std::int64_t trials = 0, around_ns = 0;
    std::int64_t slices = 0, slice_ns = 0;
  };

  Sums expected_, all_;
  std::vector<Sums> cells_;
};

}  // namespace tune::campaign
