#pragma once

#include "advice/rule/fact_table.h"
#include "measure/campaign/campaign_result.h"

#include <string>
#include <vector>

namespace tune::campaign {

/// The completed ones among a cell's trials whose measured windows its numbers are of, in the order
/// run: its fresh pairs, else the rounds of `stage`. Of a slot that ran again the last one.
std::vector<const TrialRecord*> window_trials(const std::vector<const TrialRecord*>& of_cell,
                                              const std::string& stage);
/// The same of a run's cell, where its trials are not sorted by cell.
std::vector<const TrialRecord*> window_trials(const CampaignResult& result, const CellResult& cell);

/// Facts of the measured windows of one cell's trials, taken together as one window: shares of the
/// wall time, counts per step, times of steps. So a rule says of the baseline what the report's
/// tables say of it. `trials` have replies; nothing where they have no steps.
void add_measured_facts(const std::vector<const TrialRecord*>& trials, rule::FactTable& facts);

}  // namespace tune::campaign
