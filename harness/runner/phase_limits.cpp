#include "runner/phase_limits.h"

#include <algorithm>

namespace tune::runner {

namespace {
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kColdDiskNs = 20 * kSecondNs;  // gigabytes of libraries, not in memory yet
}  // namespace

PhaseLimits phase_limits(const trial::TrialSpec& spec) {
  const std::int64_t whole_ns = spec.timeout_ns;
  const std::int64_t half_ns = whole_ns / 2;
  // Each at most a day of nanoseconds, and at most 2,000 slices: no overflow.
  const std::int64_t slices = spec.measure.slices + spec.measure.spare_slices;
  const std::int64_t window_ns = slices * spec.measure.slice_ns;
  PhaseLimits limits = {{std::string(kStartPhase), std::max(whole_ns / 4, kColdDiskNs)},
                        {"setup", std::max(whole_ns - spec.measure.warmup_ns - window_ns, half_ns)},
                        {"first-batch", std::max(half_ns, kColdDiskNs)},
                        {"warmup", std::max(whole_ns - window_ns, half_ns)},
                        {"measure", whole_ns},
                        {"write", std::clamp(half_ns, 10 * kSecondNs, 60 * kSecondNs)},
                        {"profiled", whole_ns},
                        {"done", 5 * kSecondNs}};
  for (auto& [phase, limit_ns] : limits) {
    limit_ns = std::min(limit_ns, whole_ns);
  }
  return limits;
}

}  // namespace tune::runner
