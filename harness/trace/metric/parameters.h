#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tune::metric {

/// Tensors of parameters that are trained, told by where autograd stores their gradients
/// (torch::autograd::AccumulateGrad):
///
///     parameter_count   such rows of the step that has the most; a step of several backward passes
///                       counts a parameter once for each
///     parameter_bytes   of these gradients, by their Input Dims and types
///
/// Not applicable where autograd stored no gradient within a step; the bytes also where sizes and
/// types were not recorded.
std::vector<Metric> parameter_metrics(const TraceInput& input);

/// A row that stores a gradient.
bool stores_gradient(std::string_view name);

/// Bytes of the gradient that such a row stores; nothing when it does not say how large that is.
std::optional<double> gradient_bytes(const TraceInput& input, const profile::Event& event);

}  // namespace tune::metric
