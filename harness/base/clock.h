#pragma once

#include <cstdint>
#include <ctime>

namespace tune {

/// CLOCK_MONOTONIC in ns: orchestrator and worker share this clock, so their times can be compared.
inline std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// CLOCK_THREAD_CPUTIME_ID in ns: the CPU time of the calling thread since it began.
inline std::int64_t thread_cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace tune
