#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Why the busiest stream is idle between two pieces of work, after HolisticTraceAnalysis:
///
///     host wait     the call that issued the next work began after the last work had ended
///     kernel wait   it had been issued before, and the gap is shorter than 30 us: what the device
///                   needs from one kernel to the next
///     other         the rest: waits for another stream or device, and work whose call is not known
///
/// `idle_host_wait_ratio`, `idle_kernel_wait_ratio` and `idle_other_ratio` are shares of the idle
/// time and sum to 1; `host_wait_ratio` and `kernel_wait_ratio` are the same times ÷ all steps.
/// Time before the first work and after the last is in none of them. Not applicable when no work of
/// the stream can be joined to its call, or too few kernels of all (why_no_launches); the first
/// three also when there is no gap.
std::vector<Metric> idle_breakdown(const TraceInput& input);

}  // namespace tune::metric
