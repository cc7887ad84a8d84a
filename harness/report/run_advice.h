#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::report {

/// The section of a run's report.md about what limits the baseline: the first recommendations
/// with predicted and measured gain, what else fired, how many rules could not say. "" where no
/// rule was asked.
std::string run_advice_markdown(const campaign::CampaignResult& result);

/// "on batches that are always there the model would do 80.0 samples/s, without a model the loader
/// would do 130.0 samples/s (one short trial each)"; "" where neither was tried. One that is not
/// above what the baseline itself did is told without its figure, which only noise explains.
std::string ceiling_words(const campaign::CampaignResult& result);

}  // namespace tune::report
