#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Length of each step, s.
std::vector<double> step_seconds(const TraceInput& input);

/// `step_time`, s: the median step as the host marked it, with the profiler's own cost in it. Not
/// applicable without marks.
Metric step_time(const TraceInput& input);

}  // namespace tune::metric
