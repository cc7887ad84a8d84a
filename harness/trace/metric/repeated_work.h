#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// What is done in each step although once, or never, would do:
///
///     anomaly_check_count   per step: gradients that autograd's anomaly detection searched for NaN
///     anomaly_check_ratio   time of that on the host ÷ all steps
///     cache_release_count   per step: memory of a device that was given back outside of any
///                           operator, as empty_cache() does
///     cache_release_ratio   time at which memory was given back so, or asked for again, and no
///                           device worked ÷ all steps
///     reduced_micro_batch_count
///                           per call of an optimizer: forward passes of DistributedDataParallel
///                           whose gradients were summed over the ranks
///     forced_collection_count
///                           per step: calls of gc.collect()
///     collector_ratio       time of Python's garbage collector at which no device worked ÷ all
///                           steps
///
/// Not applicable: without backward passes (the first two); without calls into a device's library
/// (the next two); without DistributedDataParallel, an optimizer or rows of all-reduce (the next);
/// without Python frames (the last two), and a ratio without a frame of the collector.
std::vector<Metric> repeated_work(const TraceInput& input);

}  // namespace tune::metric
