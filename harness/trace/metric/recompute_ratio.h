#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

namespace tune::metric {

/// `recompute_ratio`: time in which the forward pass of a block is computed a second time, ÷ all
/// steps: ranges called "recompute" (tune's trials, knob activation_checkpointing), and layers that
/// are computed within a function of the backward pass (torch.utils.checkpoint). Of devices the
/// time at which any was at work that such a range issued; on the CPU alone that of the ranges.
/// Part of the backward pass.
///
/// Not applicable where nothing is computed again.
Metric recompute_ratio(const TraceInput& input);

}  // namespace tune::metric
