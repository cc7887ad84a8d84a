#pragma once

#include "campaign/campaign_result.h"

namespace tune::cli {

/// Reads the traces of a run's recorded cells and adds what they say. A trace that is missing or
/// damaged is told with its reason; the run stands without it.
void read_profiles(campaign::CampaignResult& result);

}  // namespace tune::cli
