#pragma once

#include "measure/campaign/campaign_result.h"
#include "measure/campaign/confirming.h"
#include "measure/campaign/recorded_run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::campaign {

/// What the fresh rounds of the stage say about each cell that was paired in it: confirmed ones
/// first, then by the gain; those within 1 % by fewer changed knobs. What broke a constraint, if
/// only in these rounds, comes last, whatever its gain.
std::vector<Confirmation> confirmation_results(const RecordedRun& run,
                                               const ConfirmStanding& standing,
                                               const std::vector<CellHistory>& histories,
                                               const std::string& stage = "confirm");

}  // namespace tune::campaign
