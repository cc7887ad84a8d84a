#pragma once

#include "campaign/campaign_result.h"

#include <string>

namespace tune::campaign {

/// Why a trial has no result, and which one it was: "SIGSEGV in phase warmup (round 1)".
std::string failure_text(const TrialRecord& record);

}  // namespace tune::campaign
