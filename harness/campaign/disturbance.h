#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::campaign {

/// What else happened while a trial measured, as a sentence with figures: "other processes used
/// 0.45 of 2 CPUs in c01 round 1"; "" when the trial was left alone, or the kernel did not say.
std::string disturbance_text(const TrialRecord& record);

}  // namespace tune::campaign
