#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Functions whose other forms do the same for less, with their backward passes. Times are what
/// they can save at most (operator_cost.h) ÷ all steps:
///
///     index_gradient_ratio   gradients of x[indices] (IndexBackward0), which are added up row by
///                            row: on the CPU by one thread, on a GPU after all indices were sorted
///     weight_norm_count      per step: weights that weight_norm computed from their parts
///     weight_norm_ratio      time of that, forward and backward
///
/// Not applicable without operators; the first without such a gradient, the others without
/// weight_norm.
std::vector<Metric> costly_gradients(const TraceInput& input);

}  // namespace tune::metric
