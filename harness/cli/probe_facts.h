#pragma once

#include "campaign/campaign_result.h"

namespace tune::cli {

/// Copies what `tune probe` last measured of the run's machine into the run directory, so that its
/// report can be made again anywhere. Does nothing where there is a copy already, no probe, or a
/// damaged one.
void keep_probe(const campaign::CampaignResult& result);

/// Adds the limits of the machine that rules use: `operator_cost_time`. From the run directory's
/// probe.json, else from the one that is stored for the run's machine; where there is none, each
/// is not applicable and says that `tune probe` measures it.
void add_probe(campaign::CampaignResult& result);

}  // namespace tune::cli
