#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `gpu_busy_ratio`: |union(kernels ∪ copies ∪ fills of one device) ∩ steps| ÷ all steps; of
/// several devices the mean of those that did anything.
///
/// The "GPU utilisation" of the TensorBoard plugin counts kernels alone, from the first step's
/// begin to the last one's end. Not applicable without device work.
Metric gpu_busy_ratio(const TraceInput& input);

}  // namespace tune::metric
