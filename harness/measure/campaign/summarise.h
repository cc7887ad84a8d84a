#pragma once

#include "base/error.h"
#include "measure/campaign/campaign_result.h"
#include "measure/campaign/recorded_run.h"

namespace tune::campaign {

/// What the finished trials say. Nothing but the record goes in, so that the end of a run and a
/// later `tune report` give the same result.
CampaignResult summarise(RecordedRun run);

/// 1 when the baseline failed, 6 when promised work is missing, else 0: a candidate that failed is
/// a result (and a warning), not a failed campaign.
ExitCode exit_code(const CampaignResult& result);

}  // namespace tune::campaign
