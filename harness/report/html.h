#pragma once

#include "campaign/campaign_result.h"
#include "report/page_detail.h"

#include <cstddef>
#include <string>

namespace tune::report {

/// report.html: one file, nothing from a network, complete without its style sheet and its script,
/// and well-formed XML. The same result always gives the same bytes. A page that would be larger
/// than the limit shows less of what is much (page_detail.h), and says so; then whole sections go.
/// The limit is at least kLeastPageLimitBytes.
std::string to_html(const campaign::CampaignResult& result,
                    std::size_t limit_bytes = kPageLimitBytes);

}  // namespace tune::report
