#pragma once

#include <cstdint>

namespace tune::worker {

/// CPU time in ns of a fixed piece of work on the calling thread, about 0.2 ms: multiplications and
/// additions that keep a core's ports full and leave its first cache alone. It waits for nothing,
/// so that it takes longer only when the core itself gives less: when the hardware thread beside
/// ours, which may belong to another guest of the host, is busy (twice as long, and no counter of
/// stolen time says so), or when the clock is slower.
std::int64_t time_core_probe_ns();

}  // namespace tune::worker
