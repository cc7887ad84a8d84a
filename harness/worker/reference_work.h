#pragma once

#include <cstdint>

namespace tune::worker {

/// CPU time in ns of a fixed piece of work on the calling thread, about 0.2 ms: multiplications and
/// additions that keep a core's ports busy and do not use its first-level cache. It waits for
/// nothing, so it takes longer only when the core itself delivers less: when the sibling hardware
/// thread, which may belong to another guest of the host, is busy (twice as long, and no counter of
/// stolen time shows it), or when the clock is slower.
std::int64_t time_core_probe_ns();

struct SentinelRun {
  std::int64_t wall_ns = 0;
  std::uint64_t checksum = 0;  ///< of the results: always the same
};

/// A fixed piece of work on the calling thread: matrix products, copies of memory and a loop of
/// table look-ups and branches like a decoder's. It depends on no setting and no library: if its
/// time changes, the machine has changed. Takes about 0.1 s; frees its memory.
SentinelRun run_sentinel();

}  // namespace tune::worker
