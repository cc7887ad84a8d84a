#pragma once

#include <cstdint>
#include <ctime>

namespace tune {

/// CLOCK_MONOTONIC in ns: the one clock of orchestrator and worker, so that their times compare.
inline std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// CLOCK_THREAD_CPUTIME_ID in ns: what the calling thread has computed since it began.
inline std::int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace tune
