#pragma once

#include "advice/rule/fact_table.h"
#include "measure/campaign/campaign_result.h"

namespace tune::campaign {

/// Adds what the trial's settings and its measured window tell, and what its worker saw of the
/// machine. Shares are of the measured wall time, counts are per step (rules.md section 1). What
/// the reply lacks is not added, or added as unknown with the reason.
void add_trial_facts(const TrialRecord& record,
                     const machine::MachineFacts& machine,
                     rule::FactTable& facts);

}  // namespace tune::campaign
