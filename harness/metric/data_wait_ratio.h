#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `data_wait_ratio`: time within steps at which the host waited in `enumerate(DataLoader)#...`,
/// whatever a device did meanwhile, ÷ all steps. (partition_data_loading_ratio is the part of it
/// that nothing hides.) Not applicable without such a row: a loader of one's own is not recorded.
Metric data_wait_ratio(const TraceInput& input);

}  // namespace tune::metric
