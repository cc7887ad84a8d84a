#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// What bounds the steps, by the critical path through them (profile/critical_path.h):
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

}  // namespace tune::metric
