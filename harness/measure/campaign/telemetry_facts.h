#pragma once

#include "advice/rule/fact_table.h"
#include "machine/telemetry/host_metrics.h"
#include "measure/campaign/campaign_result.h"

#include <vector>

namespace tune::campaign {

/// What the machine did while the baseline and the best other cell were measured, from the
/// telemetry.json of their last twelve trials at most: the fresh ones where there are some. A file
/// that is missing or damaged is named in `reason`. Curves are of the trial whose steps were
/// recorded where it is among them, else of the last. Empty: no trial of any kind recorded it.
std::vector<telemetry::CellTelemetry> read_telemetry(const CampaignResult& result);

/// What was sampled while the baseline's trials ran, medians over them, under the names of
/// telemetry::host_metrics(), and what follows from it:
///
///     throttle_reasons        what held the GPU's clock down for 1 % of the window or more:
///                             "sw_power_cap", "sw_thermal", "hw_thermal", "power_brake"
///     pair_clock_drop_ratio   how much lower the GPU's clock was in one cell of the confirmation
///                             than in the other: 1 - the lower mean ÷ the higher
///     cache_hit_ratio         of the bytes that the loader read, those that came from no disk: 1 -
///                             what the kernel fetched for the worker ÷ dataset_bytes x throughput
///                             ÷ samples. Needs facts of the trial: add_trial_facts() first
void add_telemetry_facts(const std::vector<telemetry::CellTelemetry>& cells,
                         rule::FactTable& facts);

}  // namespace tune::campaign
