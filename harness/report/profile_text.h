#pragma once

#include "campaign/campaign_result.h"
#include "report/text_table.h"

#include <string>
#include <vector>

namespace tune::report {

// What report.md and report.html say about recorded steps, in the same words: of the baseline, and
// of the best cell beside it where that was recorded too.

/// Where the time of a recorded step goes: exposed time by role, which sums to the step, and beside
/// it what others hide of the role. No rows where no trace can say.
TextTable recorded_partition(const campaign::CampaignResult& result);

/// The operators that take most of the baseline's host time by themselves: calls and time of a
/// step, in both cells. No rows without a trace.
TextTable recorded_operators(const campaign::CampaignResult& result);

/// One line a recorded cell: how many steps of which trial, how much recording stretched them,
/// what was refused or lost, and where the trace is; or why there is none.
std::vector<std::string> recording_lines(const campaign::CampaignResult& result);

}  // namespace tune::report
