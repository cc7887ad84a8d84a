#pragma once

#include <cstdint>

namespace tune::worker {

struct SentinelRun {
  std::int64_t wall_ns = 0;
  std::uint64_t checksum = 0;  ///< of what was computed: always the same
};

/// A fixed piece of work on the calling thread: matrix products, copies of memory and a loop of
/// table look-ups and branches like a decoder's. It depends on no setting and on no library, so
/// that when its time changes the machine has changed. About 0.1 s; its memory is given back.
SentinelRun run_sentinel();

}  // namespace tune::worker
