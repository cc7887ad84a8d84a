#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

/// report.html: one file, nothing from a network, complete without its style sheet and its script,
/// and well-formed XML. The same result always gives the same bytes.
std::string to_html(const campaign::CampaignResult& result);

}  // namespace tune::report
