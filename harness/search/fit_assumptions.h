#pragma once

#include "search/covariance.h"
#include "search/likeness.h"

#include <vector>

namespace tune::search {

struct WeightedAssumptions {
  Assumptions assumptions;
  double weight = 0;  ///< all weights add up to 1
};

/// The assumptions under which the scores are likely, by marginal likelihood times a weak prior:
/// a climb over a grid of steps from the usual ones, and of the places it has seen the few best.
/// More than one, because a dozen scores do not say which knob matters: what differs between them
/// is part of what is not known yet. `observations` are centred; may be none.
std::vector<WeightedAssumptions> fit_assumptions(const Likeness& likeness,
                                                 const std::vector<Observation>& observations);

}  // namespace tune::search
