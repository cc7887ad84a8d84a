#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Backward passes that go through a graph again (`retain_graph=True`): functions of autograd that
/// run a second time in the same step for the same operator of the forward pass.
///
///     repeated_backward_count   per step: passes after the first, of the function with the most
///     repeated_backward_ratio   their time ÷ all steps: of devices the time at which any was at
///                               work that they issued; on the CPU alone that of the functions
///
/// Not applicable without a backward pass whose functions name their operator, and where operators
/// within it record a graph themselves: gradients of gradients have to go through the first graph
/// again, and checkpointing computes it again.
std::vector<Metric> repeated_backward(const TraceInput& input);

}  // namespace tune::metric
