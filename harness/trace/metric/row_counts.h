#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Counts, exact however much the profiler slows a step down:
///
///     kernel_count, launch_count   per step; a kernel belongs to the step whose call launched it,
///                                  without a call to the one in which it begins
///     operator_count               per step, nested ones too; annotations are none
///     short_operator_ratio         of the host's own time in operators (without rows within them,
///                                  and without loading data): those of 200 us or less. An operator
///                                  that only launches takes 5 to 50 us, with stacks twice as much
///     kernel_time_mean, kernel_time_median   s, of the kernels counted, communication left out
///
/// Not applicable: kernels without any; launches without calls; operators without any, or any time.
std::vector<Metric> row_counts(const TraceInput& input);

}  // namespace tune::metric
