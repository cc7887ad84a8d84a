#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <cstdint>
#include <vector>

namespace tune::metric {

/// Indices of events: a call that launches, and the first kernel that it launched.
struct LaunchedKernel {
  std::uint32_t call = 0, kernel = 0;
};

/// The kernels of the launches that begin within steps, in order; launches whose kernel is not in
/// the trace are left out. Only the first kernel of a graph counts: the others wait for it, not for
/// the host.
std::vector<LaunchedKernel> launched_kernels(const TraceInput& input);

/// Durations of all calls that launch and begin within steps, s.
std::vector<double> launch_call_seconds(const TraceInput& input);

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
