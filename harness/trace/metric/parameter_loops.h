#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Loops of the script over the parameters, outside of the optimizer: gradients that are clipped or
/// looked at, averages of parameters, updates by hand.
///
///     parameter_loop_count   per step: operators that such loops call
///     parameter_loop_ratio   what the loops can save at most (operator_cost.h) ÷ all steps, with
///                            the time between their operators
///     parameter_detach_count per step: those of them that are aten::detach, as state_dict() calls
///                            it for each tensor of a model
///
/// A loop is at least as many operators as a step stores gradients, and not fewer than 16, one
/// after another on a thread that has other phases than backward (autograd's threads copy gradients
/// for other ranks), after backward has begun, in none of the phases of a step
/// (trace/table/phase_table.h), with less than 1 ms between two of them. Each is called that often
/// in a step; where shapes were recorded, half of them are of a gradient's shape. The limits are
/// ours.
///
/// Not applicable without operators or without stored gradients.
std::vector<Metric> parameter_loops(const TraceInput& input);

}  // namespace tune::metric
