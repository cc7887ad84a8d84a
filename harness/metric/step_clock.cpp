#include "metric/step_clock.h"

#include <algorithm>
#include <utility>

namespace tune::metric {

StepClock::StepClock(profile::Intervals steps) : steps_(std::move(steps)) {
  before_ns_.reserve(steps_.size());
  std::int64_t sum_ns = 0;
  for (const profile::Interval& step : steps_) {
    before_ns_.push_back(sum_ns);
    sum_ns += step.length_ns();
  }
}

std::size_t StepClock::begun_at(std::int64_t time_ns) const {
  const auto fits = [&](std::size_t begun) {
    return (begun == 0 || steps_[begun - 1].begin_ns <= time_ns) &&
           (begun == steps_.size() || time_ns < steps_[begun].begin_ns);
  };
  if (!fits(begun_)) {
    const auto later = std::upper_bound(
        steps_.begin(),
        steps_.end(),
        time_ns,
        [](std::int64_t time, const profile::Interval& step) { return time < step.begin_ns; });
    begun_ = static_cast<std::size_t>(later - steps_.begin());
  }
  return begun_;
}

std::int64_t StepClock::at(std::int64_t time_ns) const {
  const std::size_t begun = begun_at(time_ns);
  if (begun == 0) {
    return 0;
  }
  const profile::Interval& step = steps_[begun - 1];
  return before_ns_[begun - 1] + std::min(time_ns, step.end_ns) - step.begin_ns;
}

bool StepClock::runs_at(std::int64_t time_ns) const {
  const std::size_t begun = begun_at(time_ns);
  return begun > 0 && time_ns < steps_[begun - 1].end_ns;
}

}  // namespace tune::metric
