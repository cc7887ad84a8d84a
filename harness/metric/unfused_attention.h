#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `attention_unfused_ratio`: attention in pieces ÷ all steps: a matrix product, a softmax (or the
/// exponential of one that is composed of single operators) over a square [.., S, S] and another
/// product that follow one another in the same row, with at most 12 operators between them
/// (scaling, mask, dropout). Of devices the time of the kernels that they
/// issued, streams added up; on the CPU alone their own time. The way back is not counted: with it
/// the share is two to three times as large.
///
/// Not applicable without operators, and where such a softmax has no Input Dims.
Metric attention_unfused_ratio(const TraceInput& input);

}  // namespace tune::metric
