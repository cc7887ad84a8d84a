#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// max(0, begin of a kernel - end of the call that launched it), after HolisticTraceAnalysis:
/// `launch_delay_median` and `launch_delay_p95`, s; `launch_delay_outlier_count` per step, of
/// delays above 100 us. 5 to 20 us are normal for an idle stream; behind a long queue the delay is
/// the queue. Not applicable when no kernel can be joined to its launch, or too few of all
/// (why_no_launches).
std::vector<Metric> launch_delays(const TraceInput& input);

/// The calls themselves: `launch_time_mean`, s, and `slow_launch_ratio`, the share of them above
/// 50 us (HolisticTraceAnalysis). Not applicable without launches within steps.
std::vector<Metric> launch_times(const TraceInput& input);

/// Kernels that are shorter than the call that launched them, while that took at most 50 us (a
/// longer one was held up): the host cannot keep up with such. `short_kernel_count` per step,
/// `short_kernel_ratio` of all launches that can be joined (HolisticTraceAnalysis).
std::vector<Metric> short_kernels(const TraceInput& input);

}  // namespace tune::metric
