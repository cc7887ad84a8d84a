#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <vector>

namespace tune::worker {

/// Keeps the rows that overlap [begin_ns, end_ns]; external ids stay with the calls that are kept.
void clip_trace(DeviceTrace& trace, std::int64_t begin_ns, std::int64_t end_ns);

/// A trace is valid when every kernel has the call that launched it and starts at most 5 us before
/// that call, nothing was dropped or came without a time, and all steps launch the same number of
/// kernels within 1 %, or one kernel. Up to 0.1 % of the kernels (of the records) may be otherwise,
/// which is noted; so are copies and sets without a launch, and kernels that overlap with the one
/// before on their stream by more than 1 us (nodes of CUDA graphs are left out). `edges` as
/// TraceSession::finish() takes them; of steps that are not alike only the first and the last are
/// to be given.
///
/// The limits are those of the profiler page of the design: what a clock of the device that is
/// converted by interpolation can be off by.
TraceCheck check_trace(const DeviceTrace& trace, const std::vector<std::int64_t>& edges);

}  // namespace tune::worker
