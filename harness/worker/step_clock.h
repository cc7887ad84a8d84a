#pragma once

#include "base/monotonic_clock.h"
#include "trial/trial_reply.h"

#include <cstdint>
#include <utility>

namespace tune::worker {

/// Cuts time into parts without a gap: each edge ends one part and begins the next, so that the
/// parts of a step sum exactly to it, and steps in a row to the time that they took together.
class StepClock {
 public:
  using Part = std::int64_t trial::PhaseSums::*;

  /// Forgets what was before; returns the moment.
  std::int64_t restart() {
    sums_ = {};
    return last_ns_ = monotonic_ns();
  }

  /// What passed since the last edge belongs to `part`.
  void charge(Part part) {
    const std::int64_t now_ns = monotonic_ns();
    sums_.*part += now_ns - last_ns_;
    last_ns_ = now_ns;
  }

  /// The parts since the last take or restart, together.
  std::int64_t passed_ns() const { return sums_.total_ns(); }

  /// The parts since the last take or restart.
  trial::PhaseSums take() { return std::exchange(sums_, {}); }

 private:
  std::int64_t last_ns_ = monotonic_ns();
  trial::PhaseSums sums_;
};

}  // namespace tune::worker
