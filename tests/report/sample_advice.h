#pragma once

#include "measure/campaign/campaign_result.h"

namespace tune::report {

/// The invented campaign (sample_result.h) with what only some runs have: rules that were asked, of
/// which one recommendation was confirmed, one refuted, one ambiguous and one not measured, a
/// ladder on top of them, kernels and the memory of its recorded steps, a number of workers and a
/// batch size with three measured values each, earlier runs and gates, and a calibration.
campaign::CampaignResult diagnosed_result();

/// Only the rules and their recommendations added to a result.
void add_diagnosis(campaign::CampaignResult& result);

}  // namespace tune::report
