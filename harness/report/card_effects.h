#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

/// What a change does beside the speed, from the baseline to the cell that has it alone: peak
/// memory, waiting for data, time to the first step. Null where no cell has it alone.
std::string side_effects(const campaign::CampaignResult& result, const campaign::CellResult* after);

}  // namespace tune::report
