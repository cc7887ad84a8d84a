#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

/// The section of a run's report.md about how good the predictions of the rules are: each of this
/// run beside what pairs have measured, then the quality by rule over this run and those before it.
/// "" where no rule was asked.
std::string predictions_markdown(const campaign::CampaignResult& result);

}  // namespace tune::report
