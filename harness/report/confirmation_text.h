#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::report {

/// What was measured how, in sentences, the same in every format: the warm-up that was found, why
/// the search ended, and for each confirmed cell its gain, verdict, what the search had promised,
/// losses and the order of the pairs; how long an epoch takes, beside a whole one.
std::vector<std::string> method_lines(const campaign::CampaignResult& result);

/// The record of the looks at one cell, one line each: pairs, certainty spent, interval, verdict.
std::vector<std::string> look_lines(const campaign::Confirmation& confirmation);

/// "CONFIRMED", "" before the first look.
std::string verdict_word(const campaign::Confirmation& confirmation);

}  // namespace tune::report
