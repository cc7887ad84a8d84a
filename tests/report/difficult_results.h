#pragma once

#include "measure/campaign/campaign_result.h"

#include <string>
#include <utility>
#include <vector>

namespace tune::report {

/// Runs that are hard to render, by name.
std::vector<std::pair<std::string, campaign::CampaignResult>> difficult_results();

}  // namespace tune::report
