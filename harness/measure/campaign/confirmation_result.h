#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/recorded_run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::campaign {

/// What the fresh rounds of the stage say about each cell that was paired in it: confirmed ones
/// first, then by the gain; of those as good as the first, by 1 % or one standard error of the
/// difference in the rounds of both, the one with the fewest changed knobs leads: the rule by which
/// Breiman et al. (Classification and Regression Trees, 1984, 3.4.3) choose a tree. What broke a
/// constraint, if only in these rounds, comes last, whatever its gain.
std::vector<Confirmation> confirmation_results(const RecordedRun& run,
                                               const ConfirmStanding& standing,
                                               const std::vector<CellHistory>& histories,
                                               const std::string& stage = "confirm");

}  // namespace tune::campaign
