#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// What a trace is worth, over all of it:
///
///     uncorrelated_kernel_ratio   kernels whose call is not in the trace ÷ all kernels; those that
///                                 were launched before the trace began do not count
///     dropped_event_count         rows that reading could not use, in all
///     max_event_time, span_time   s: the longest row of host work, calls and devices, and the time
///                                 from the first such row to the last
///     overhead_ratio              when the profiler itself was at work ÷ all steps
///     lazy_load_count             per step: modules and functions that were loaded on first use
///     cut_off_row_count           1 where the file ends within a row, else 0
///     xla_row_count               rows of devices that XLA's profiler has written
///
/// Not applicable: without kernels; without overhead rows (not every profiler writes them).
std::vector<Metric> trace_trust(const TraceInput& input);

}  // namespace tune::metric
