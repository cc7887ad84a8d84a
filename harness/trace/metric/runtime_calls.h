#pragma once

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <vector>

namespace tune::metric {

/// partition_runtime_ratio by what the calls were for (trace/runtime_calls.h); the five sum to
/// it: `launch_exposed_ratio`, `allocation_exposed_ratio`, `copy_call_exposed_ratio`,
/// `blocking_exposed_ratio`, `other_call_exposed_ratio`.
///
/// And what devices did while the host was blocked, exposed or not, ÷ all steps:
/// `blocked_by_kernels_ratio`, `blocked_by_copies_ratio` (kernels first),
/// `blocked_by_nothing_ratio`: only the last is a cost of the host. Not applicable without calls,
/// and without device work, for nobody knows then what was exposed.
std::vector<Metric> runtime_ratios(const TraceInput& input);

/// `device_allocation_count` per step: calls that allocate or free memory of a device or pinned
/// memory (cudaMalloc, cudaFree, cudaHostAlloc, ...). A caching allocator makes none once it is
/// warm. Not applicable without calls.
Metric device_allocation_count(const TraceInput& input);

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
