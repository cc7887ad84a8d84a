#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// What bounds the steps, by the critical path through them (trace/critical_path.h):
///
///     critical_path_time       s per step: the path's length ÷ steps
///     critical_path_coverage_ratio   its length ÷ (begin of the first step to end of the last);
///                              what is missing of 1 the trace does not explain, above 1 devices
///                              worked on after the last step
///     critical_path_<part>_ratio     of its length: cpu, host_gap, data_loading, kernel,
///                              communication, copy, launch, kernel_delay, sync (PathPart); the
///                              nine sum to 1
///
/// With inferred-waits, and less sure, where cuda_sync rows do not say what a call waited for. Not
/// applicable where there is no path.
std::vector<Metric> critical_path_ratios(const TraceInput& input);

/// What a change could save of the steps at best, by the critical path as it would be then
/// (trace/critical_path.h): 1 - T' / T, where T is the time of the steps with the path as it is.
/// Everything else takes as long as it did and waits for the same, so that hidden time saves
/// nothing; and never more than the devices were idle, for their work stays (that of copies aside).
/// After HolisticTraceAnalysis, which weighs a class of edges with 0.
///
///     saved_without_launches_ratio       operators and calls of the host, its gaps between them
///                                        and starting work on an idle stream take no time: what
///                                        a CUDA graph or a compiled model could gain.
///                                        Loading data, copies and waits stay
///     saved_without_scalar_syncs_ratio   the host does not wait where it reads a number
///                                        (scalar_sync_calls)
///     saved_without_syncs_ratio          nor anywhere else but to bring data to the device
///                                        (waiting_calls)
///     saved_without_h2d_ratio            copies to the device take no time, on the device or in
///                                        the call
///
/// With inferred-waits where cuda_sync rows do not say what a call waited for. Not applicable where
/// there is no path.
std::vector<Metric> critical_path_savings(const TraceInput& input);

}  // namespace tune::metric
