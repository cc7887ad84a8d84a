#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <vector>

namespace tune::worker {

/// Keeps the rows that overlap [begin_ns, end_ns]; external ids stay with the calls that are kept.
void clip_trace(DeviceTrace& trace, std::int64_t begin_ns, std::int64_t end_ns);

/// A trace is valid when nothing was dropped or came without a time, every kernel has the call that
/// launched it and starts at most 5 us before that call, kernels of one stream overlap by at most
/// 1 us but for 1 % of them (which may be launched to overlap; nodes of CUDA graphs are left out),
/// and all steps launch the same number of kernels within 1 %, or one kernel. `edges` as
/// TraceSession::finish() takes them; of steps that are not alike only the first and the last are
/// to be given. Copies and sets without a launch are noted.
///
/// The limits are those of the profiler page of the design: what a clock of the device that is
/// converted by interpolation can be off by.
TraceCheck check_trace(const DeviceTrace& trace, const std::vector<std::int64_t>& edges);

}  // namespace tune::worker
