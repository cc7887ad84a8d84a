#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Convolutions with a bias that a batch normalisation follows, which takes it away again
/// (PyTorch's profiler: torch/profiler/_pattern_matcher.py). The counter that it adds 1 to may come
/// between them.
///
///     conv_bias_bn_count   per step
///     conv_bias_ratio      what devices took for these biases ÷ all steps, streams added up: to
///                          add them (aten::add_ within the convolution), and on the way back to
///                          sum up their gradients; on the CPU alone the host
///
/// Not applicable without operators, and where such a convolution has no Input Dims and nothing is
/// added in it.
std::vector<Metric> convolution_bias(const TraceInput& input);

}  // namespace tune::metric
