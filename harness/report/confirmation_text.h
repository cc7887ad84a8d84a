#pragma once

#include "campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::report {

/// Each confirmed cell in a sentence, the same in every format: its gain, verdict, what the search
/// had promised, losses and the order of the pairs; then how long an epoch takes with it, beside a
/// whole one.
std::vector<std::string> confirmation_lines(const campaign::CampaignResult& result);

/// The record of the looks at one cell, one line each: pairs, certainty spent, interval, verdict.
std::vector<std::string> look_lines(const campaign::Confirmation& confirmation);

/// "CONFIRMED", "" before the first look.
std::string verdict_word(const campaign::Confirmation& confirmation);

}  // namespace tune::report
