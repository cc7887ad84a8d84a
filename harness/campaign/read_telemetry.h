#pragma once

#include "campaign/campaign_result.h"

#include <vector>

namespace tune::campaign {

/// What the machine did while the baseline and the best other cell were measured, from the
/// telemetry.json of their last twelve trials at most: the fresh ones where there are some. A file
/// that is missing or damaged is named in `reason`. Curves are of the trial whose steps were
/// recorded where it is among them, else of the last. Empty: no trial of any kind recorded it.
std::vector<telemetry::CellTelemetry> read_telemetry(const CampaignResult& result);

}  // namespace tune::campaign
