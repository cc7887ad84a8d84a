#pragma once

#include "known_grid.h"
#include "measure/campaign/campaign_result.h"

namespace tune::simulation {

/// Whether the headline says that a setting is faster.
bool is_printed_as_a_gain(const campaign::CampaignResult& result);

/// The largest gain that the search saw, ratio - 1; what would be printed without fresh pairs.
double best_of_search(const campaign::CampaignResult& result);

/// Rate of the setting that the campaign recommends (the baseline where it recommends none) as a
/// share of the best cell's, both without noise.
double quality_of_pick(const KnownGrid& known, const campaign::CampaignResult& result);

/// Seconds measured in the search as a share of those of every cell in every round, where a slice
/// takes a second.
double measured_share(const campaign::CampaignResult& result);

}  // namespace tune::simulation
