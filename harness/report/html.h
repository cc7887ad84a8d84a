#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

/// report.html: one file, no script, nothing from a network, complete without its style sheet, and
/// well-formed XML. The same result always gives the same bytes.
std::string to_html(const campaign::CampaignResult& result);

}  // namespace tune::report
