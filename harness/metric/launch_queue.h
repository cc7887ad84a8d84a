#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// How much work waits in the queue of the busiest stream, over the time of all steps: +1 when a
/// call that issues work returns, -1 when its work begins (HolisticTraceAnalysis). Work that begins
/// before its call returns was never queued, and of a graph only the first kernel counts.
///
///     launch_queue_mean, launch_queue_p95   weighted by time; about 1 for long: the host is slow
///     queue_full_ratio                      share of the time with at least 1022 of 1024: the
///                                           device is the limit (1022 to 1024 have been observed)
///
/// Work that was issued before the trace began is not seen. Not applicable when no work of the
/// stream can be joined to its call, or too few kernels of all (why_no_launches).
std::vector<Metric> launch_queue(const TraceInput& input);

}  // namespace tune::metric
