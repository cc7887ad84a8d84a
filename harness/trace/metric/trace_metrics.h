#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Every metric that a trace can give, in the order in which they are shown. To add one, or a
/// family of them that one pass tells: a file of its own, and a line in trace_metrics.cpp.
std::vector<Metric> trace_metrics(const TraceInput& input);

}  // namespace tune::metric
