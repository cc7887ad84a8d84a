#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// What the shapes of the steps are. The shapes of a step are the set of (operator, Input Dims) of
/// its convolutions, matrix products, recurrent operators and attention: what libraries choose
/// algorithms for. Where no such operator says its Input Dims (record_shapes=True), it is the set
/// of (kernel, grid) of theirs: other sizes make other grids.
///
///     distinct_shape_count       in all: how many different sets there are. 1 means that every
///                                step does the same; with N steps N is the most. A shorter last
///                                batch is one more
///     first_shape_excess_ratio   what steps took longer that have a set for the first time than
///                                the median of those that have the same set later, ÷ all steps.
///                                A set that does not come again does not count: nothing tells
///                                what it takes. Nor does the first step: what ran before it is
///                                not known
///
/// Not applicable where neither tells, the second also where sets are new after the first step
/// and none of them comes again, or there is one step alone.
std::vector<Metric> shape_metrics(const TraceInput& input);

/// `autotune_event_count` per step: calls of a convolution that tried algorithms
/// (cudnn.benchmark): they issued at least 8 kernels, and at least 3 times as many as the call of
/// the same operator that issued the fewest. The limits are ours, and it is an inference: no row
/// says so. Not applicable where no kernel can be joined to a convolution.
Metric autotune_event_count(const TraceInput& input);

}  // namespace tune::metric
