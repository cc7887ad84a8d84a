#pragma once

#include "campaign/campaign_result.h"

#include <filesystem>

namespace tune::campaign {

/// Rebuilds the result of a run from its directory alone. Throws tune::Error.
CampaignResult load_campaign(const std::filesystem::path& directory);

}  // namespace tune::campaign
