#include "worker/cuda/clock_map.h"

#include "base/clock.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>

namespace tune::worker {

ClockMap::ClockMap(const Pair& first, const Pair& last)
    : first_(first), span_ns_(last.record_ns - first.record_ns) {
  drift_ns_ = (last.monotonic_ns - first.monotonic_ns) - span_ns_;
  if (span_ns_ <= 0) {  // the clock was set back: only one pair can be trusted
    span_ns_ = 0;
  }
}

bool ClockMap::was_set() const {
  constexpr std::int64_t kOnceNs = 1'000'000;
  constexpr std::int64_t kPerSpan = 1'000;  // NTP adjusts by half of that at most
  return std::abs(drift_ns_) > kOnceNs + span_ns_ / kPerSpan;
}

std::int64_t ClockMap::to_monotonic_ns(std::int64_t record_ns) const {
  const std::int64_t since_ns = record_ns - first_.record_ns;
  std::int64_t monotonic_ns = first_.monotonic_ns + since_ns;
  if (span_ns_ > 0 && drift_ns_ != 0) {  // the product of two int64 would overflow
    const double share = static_cast<double>(since_ns) / static_cast<double>(span_ns_);
    monotonic_ns += std::llround(share * static_cast<double>(drift_ns_));
  }
  return monotonic_ns;
}

ClockMap::Pair read_clock_pair() {
  constexpr int kTries = 8;
  ClockMap::Pair best;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    timespec real{};
    const std::int64_t before_ns = monotonic_ns();
    clock_gettime(CLOCK_REALTIME, &real);
    const std::int64_t after_ns = monotonic_ns();
    if (after_ns - before_ns < least_ns) {
      least_ns = after_ns - before_ns;
      best.record_ns = static_cast<std::int64_t>(real.tv_sec) * 1'000'000'000 + real.tv_nsec;
      best.monotonic_ns = before_ns + least_ns / 2;
    }
  }
  return best;
}

}  // namespace tune::worker
