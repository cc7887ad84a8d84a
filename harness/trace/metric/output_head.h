#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// The layer that gives a score to each class, and the loss of these scores: a language model's
/// words.
///
///     output_class_count   classes of the largest log-softmax
///     output_row_count     the most rows that get scores for so many classes at once
///     output_head_ratio    time of matrix products one of whose factors is so wide, and of the
///                          softmax and the loss, forward and backward ÷ all steps: of their
///                          kernels on a device, else their own on the host
///
/// Not applicable without a log-softmax, or where no shapes were recorded.
std::vector<Metric> output_head(const TraceInput& input);

}  // namespace tune::metric
