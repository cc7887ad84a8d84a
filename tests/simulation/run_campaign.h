#pragma once

#include "in_process_worker.h"
#include "measure/campaign/campaign_result.h"

#include <string>

namespace tune::simulation {

/// A whole campaign, as `tune run` does it: search, confirmation, summary. Trials take no time but
/// on the worker's clock; the run directory is gone afterwards. The budget is the scenario's.
campaign::CampaignResult run_campaign(const std::string& scenario_text,
                                      fake::InProcessWorker& worker);

}  // namespace tune::simulation
