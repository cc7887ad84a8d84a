#include "drift_timeline.h"

#include <algorithm>

namespace tune::noise {

DriftTimeline::DriftTimeline(const Environment& environment, std::uint64_t seed)
    : random_(seed), drift_(environment, random_) {}

double DriftTimeline::at(std::int64_t machine_ns) {
  constexpr std::int64_t kTickNs = 1'000'000'000;
  const auto tick = static_cast<std::size_t>(std::max<std::int64_t>(0, machine_ns) / kTickNs);
  while (seconds_.size() <= tick) {
    seconds_.push_back(drift_.next(random_));
  }
  return seconds_[tick];
}

}  // namespace tune::noise
