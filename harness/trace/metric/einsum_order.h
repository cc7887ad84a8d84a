#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Calls of einsum that multiply three factors or more, two at a time, from the first to the last
/// unless opt_einsum is installed:
///
///     einsum_ratio          what they can save at most (operator_cost.h) ÷ all steps, without
///                           their backward passes
///     einsum_excess_ratio   of what they compute, the part that another order of the same factors
///                           would not: 1 - fewest ÷ done multiplications
///
/// The fewest are those of the best order of a chain of matrices (dynamic programming; Cormen et
/// al., Introduction to Algorithms, 15.2), whose sizes are those of the products: each shares one
/// end of the chain with what was multiplied before. Other calls, and chains of more than
/// 16 factors, do not count.
///
/// Not applicable without such a call, or where no shapes were recorded.
std::vector<Metric> einsum_order(const TraceInput& input);

}  // namespace tune::metric
