#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

namespace tune::metric {

/// `distinct_shape_count`, in all: how many different sets of input shapes the steps have. The set
/// of a step is that of (operator, Input Dims) of its convolutions, matrix products, recurrent
/// operators and attention: what libraries choose algorithms for. 1 means that every step does the
/// same; with N steps N is the most. A shorter last batch is one more.
///
/// Not applicable where none of them says its Input Dims (record_shapes=True).
Metric distinct_shape_count(const TraceInput& input);

/// `autotune_event_count` per step: calls of a convolution that tried algorithms
/// (cudnn.benchmark): they issued at least 8 kernels, and at least 3 times as many as the call of
/// the same operator that issued the fewest. The limits are ours, and it is an inference: no row
/// says so. Not applicable where no kernel can be joined to a convolution.
Metric autotune_event_count(const TraceInput& input);

}  // namespace tune::metric
