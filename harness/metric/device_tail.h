#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `device_tail_time`, s: device work after the host's end of the last step, on any device. Steps
/// are not extended to the end of their kernels, so this belongs to none of them. Not applicable
/// without device work, and without step marks: then the only step ends with the last row.
Metric device_tail_time(const TraceInput& input);

}  // namespace tune::metric
