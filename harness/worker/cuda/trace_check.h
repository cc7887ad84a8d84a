#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <vector>

namespace tune::worker {

/// Keeps the rows that overlap [begin_ns, end_ns], and the external ids of the calls that are kept.
void clip_trace(DeviceTrace& trace, std::int64_t begin_ns, std::int64_t end_ns);

/// A trace is valid when every kernel has its launch call and starts at most 5 us before that call,
/// nothing was dropped or lacks a time, and all steps launch the same number of kernels within 1 %,
/// or one kernel. Up to 0.1 % of the kernels (of the records) may violate this, which is noted; so
/// are copies and sets without a launch, and kernels that overlap the previous one on their stream
/// by more than 1 us (nodes of CUDA graphs are ignored). `edges` as in TraceSession::finish(); for
/// steps that are not alike, pass only the first and the last edge.
///
/// The limits allow for the error of a device clock that is converted by interpolation.
TraceCheck check_trace(const DeviceTrace& trace, const std::vector<std::int64_t>& edges);

}  // namespace tune::worker
