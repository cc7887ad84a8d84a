#pragma once

#include "base/monotonic_clock.h"

#include <cstdint>

namespace tune::worker {

/// Keeps the calling thread busy for so long: a slowdown that nothing can hide behind, as it could
/// behind a sleep. Returns how long it was in the end.
inline std::int64_t busy_wait_ns(std::int64_t duration_ns) {
  const std::int64_t start_ns = monotonic_ns();
  std::int64_t passed_ns = 0;
  while (passed_ns < duration_ns) {
    passed_ns = monotonic_ns() - start_ns;
  }
  return passed_ns;
}

}  // namespace tune::worker
