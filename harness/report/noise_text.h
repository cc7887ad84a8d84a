#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

// What equal processes of the scenario showed on this machine, or that `tune calibrate` would tell.

/// How often gates on equal sides called one of them worse, and how far two equal processes lie
/// apart; sentences.
std::string equal_sides_text(const campaign::CampaignResult& result);

/// "smallest detectable effect: 2.5 %, ...": one line.
std::string detectable_line(const campaign::CampaignResult& result);

}  // namespace tune::report
