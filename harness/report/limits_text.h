#pragma once

#include "campaign/campaign_result.h"
#include "report/text_table.h"

#include <string>
#include <vector>

namespace tune::report {

// What report.md and report.html say of the limits of the machine, in the same words.

/// What the baseline reached of each limit that `tune probe` found here, and how close that is. No
/// rows where nothing can be said.
TextTable limit_table(const campaign::CampaignResult& result);

/// How to read it, and what is not known and why; one line that names `tune probe` where this
/// machine has not been probed. None when the rules were not asked.
std::vector<std::string> limit_lines(const campaign::CampaignResult& result);

}  // namespace tune::report
