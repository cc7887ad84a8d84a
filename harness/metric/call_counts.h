#pragma once

#include "metric/metric.h"
#include "metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// `sync_memset_count` per step and `sync_memset_time`, s per step: calls that fill pinned,
/// pageable or managed memory and wait by their name (cudaMemset, not cudaMemsetAsync); fills of a
/// device's own memory do not hold up the host (Nsight Systems' rule). Not applicable without
/// calls, and where no such call can be joined to what it filled.
std::vector<Metric> sync_memset_metrics(const TraceInput& input);

/// `allocator_retry_count` per step: memory of a device that could not be had before memory was
/// given back: in one operator of one thread cudaMalloc, then cudaFree, then cudaMalloc again, and
/// no launch between them. That is what PyTorch's caching allocator does when a device is full; no
/// row says so, it is an inference. Not applicable without calls.
Metric allocator_retry_count(const TraceInput& input);

}  // namespace tune::metric
