#pragma once

#include "advice/rule/fact_table.h"
#include "measure/campaign/campaign_result.h"

#include <vector>

namespace tune::campaign {

/// Adds what the trial's settings and its measured window tell, and what its worker saw of the
/// machine. Shares are of the measured wall time, counts are per step (rules.md section 1). What
/// the reply lacks is not added, or added as unknown with the reason.
void add_trial_facts(const TrialRecord& record,
                     const machine::MachineFacts& machine,
                     rule::FactTable& facts);

/// The same of one trial of several with its settings, with the times and counts of the measured
/// windows of all of them (measured_facts.h).
void add_trial_facts(const TrialRecord& record,
                     const std::vector<const TrialRecord*>& measured,
                     const machine::MachineFacts& machine,
                     rule::FactTable& facts);

}  // namespace tune::campaign
