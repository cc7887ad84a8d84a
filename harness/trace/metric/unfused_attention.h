#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// Attention in pieces ÷ all steps: a matrix product, a softmax (or the exponential of one that is
/// composed of single operators) over a square [.., S, S] and another product that follow one
/// another in the same row, with at most 12 operators between them (scaling, mask, dropout). A
/// softmax without Input Dims counts as square. Of devices the time of the kernels that they
/// issued, streams added up; on the CPU alone their own time. The way back is not counted: with it
/// the share is two to three times as large.
///
///     attention_unfused_ratio    all of it
///     attention_fallback_ratio   that of aten::scaled_dot_product_attention itself: no fused
///                                kernel takes its inputs (dropout on a CPU, a mask, the type, the
///                                size of a head)
///     attention_product_ratio    that of its matrix products, which a fused kernel computes as well
///
/// Not applicable without operators.
std::vector<Metric> attention_ratios(const TraceInput& input);

}  // namespace tune::metric
