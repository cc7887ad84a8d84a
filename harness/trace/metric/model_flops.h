#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// How much of a GPU's arithmetic the model's own work uses:
///
///     step_flops   count: operations of a step's matrix products, convolutions and fused
///                  attention, forward and backward, by their recorded shapes
///     mfu          the time that these would take at the peaks of the GPU (device_peaks.h), each
///                  for its type of numbers, ÷ the time of the steps
///
/// What activation checkpointing computes again is counted again, so that `mfu` is then the
/// utilisation of the hardware. Float32 has the peak of TF32 where a kernel of it uses tensor
/// cores. Other operators count nothing. Not applicable without recorded shapes; `mfu` neither on
/// the CPU nor on a GPU that is not in the table.
std::vector<Metric> model_flops(const TraceInput& input);

}  // namespace tune::metric
