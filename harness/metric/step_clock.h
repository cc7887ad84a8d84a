#pragma once

#include "profile/event.h"
#include "profile/intervals.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::metric {

/// A clock that runs only within steps: what is measured with it is clipped to the steps.
class StepClock {
 public:
  StepClock() = default;
  explicit StepClock(profile::Intervals steps);

  /// ns of steps before the time.
  std::int64_t at(std::int64_t time_ns) const;
  /// Whether it runs at that time.
  bool runs_at(std::int64_t time_ns) const;
  /// ns of the event that lie within steps.
  std::int64_t within(const profile::Event& event) const {
    return at(event.end_ns()) - at(event.start_ns);
  }

 private:
  /// Index of the last step that begins at the time or before, + 1; 0 when there is none.
  std::size_t begun_at(std::int64_t time_ns) const;

  profile::Intervals steps_;
  std::vector<std::int64_t> before_ns_;  ///< by step: ns of the steps before it
  /// The last answer of begun_at(): rows are asked for by time. Not for several threads at once.
  mutable std::size_t begun_ = 0;
};

}  // namespace tune::metric
