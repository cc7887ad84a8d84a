#pragma once

#include "campaign/campaign_result.h"
#include "campaign/confirming.h"
#include "campaign/recorded_run.h"

#include <vector>

namespace tune::campaign {

/// What the fresh rounds say about each cell that was confirmed: confirmed ones first, then by the
/// gain; those within 1 % by fewer changed knobs.
std::vector<Confirmation> confirmation_results(const RecordedRun& run,
                                               const ConfirmStanding& standing,
                                               const std::vector<CellHistory>& histories);

}  // namespace tune::campaign
