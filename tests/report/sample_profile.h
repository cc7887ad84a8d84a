#pragma once

#include "measure/campaign/campaign_result.h"

#include <vector>

namespace tune::report {

/// What the recorded steps of the invented campaign's baseline and of its confirmed cell consist
/// of: five steps each, a loader that is waited for in the one and hidden in the other.
std::vector<campaign::ProfiledCell> sample_profiles(const campaign::CampaignResult& result);

}  // namespace tune::report
