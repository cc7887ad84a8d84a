#pragma once

#include "campaign/campaign_result.h"

namespace tune::cli {

/// Adds what a stored calibration says of the run's scenario, with its settings, on its machine; or
/// why there is none. One that is damaged is such a reason.
void add_known_noise(campaign::CampaignResult& result);

}  // namespace tune::cli
