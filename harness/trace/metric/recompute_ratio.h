#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

namespace tune::metric {

/// `recompute_ratio`: time in ranges called "recompute", in which tune's trials compute blocks a
/// second time (knob activation_checkpointing), ÷ all steps. Of devices the time at which any was
/// at work that such a range issued; on the CPU alone that of the ranges. Part of the backward
/// pass.
///
/// Not applicable without such a range: nothing was computed again, or another profiler does not
/// say so (torch.utils.checkpoint marks nothing).
Metric recompute_ratio(const TraceInput& input);

}  // namespace tune::metric
