#pragma once

#include "metric/trace_input.h"

#include <cstdint>
#include <vector>

namespace tune::metric {

/// Indices of events: a call that launches, and the first kernel that it launched.
struct LaunchedKernel {
  std::uint32_t call = 0, kernel = 0;
};

/// Of the launches that begin within steps, in order; those whose kernel is not in the trace are
/// left out. Of a graph only the first kernel counts: the others wait for it, not for the host.
std::vector<LaunchedKernel> launched_kernels(const TraceInput& input);

/// Durations of all calls that launch and begin within steps, s.
std::vector<double> launch_call_seconds(const TraceInput& input);

}  // namespace tune::metric
