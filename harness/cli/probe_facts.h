#pragma once

#include "campaign/campaign_result.h"
#include "campaign/limit_use.h"

namespace tune::cli {

/// Copies what `tune probe` last measured of the run's machine into the run directory, so that its
/// report can be made again anywhere. Does nothing where there is a copy already, no probe, or a
/// damaged one.
void keep_probe(const campaign::CampaignResult& result);

/// The limits of the machine that the run was measured on, which need not be this one: from the run
/// directory's probe.json, else from the probe that is stored for it. One that cannot be read costs
/// the comparison only, and is the reason.
campaign::StoredProbe probe_of(const campaign::CampaignResult& result);

}  // namespace tune::cli
