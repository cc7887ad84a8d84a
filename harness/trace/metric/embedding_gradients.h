#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Gradients of tables of embeddings, which are as large as the whole table although a step looks
/// up few of its rows:
///
///     embedding_row_count    rows of the largest table whose gradient is dense
///                            (aten::embedding_dense_backward)
///     embedding_used_ratio   the most of its rows that one lookup takes ÷ its rows
///     embedding_parameter_ratio   bytes of such gradients ÷ bytes of all that a step stores
///                                 (torch::autograd::AccumulateGrad)
///
/// Not applicable without such a gradient, or where no shapes were recorded; the last also where
/// autograd stored no gradient.
std::vector<Metric> embedding_gradients(const TraceInput& input);

}  // namespace tune::metric
