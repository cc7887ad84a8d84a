#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <vector>

namespace tune::worker {

/// The verdict of stats::find_steady_state on the steps of a warm-up, by its usual rules.
trial::SteadyRecord steady_record(const std::vector<std::int64_t>& step_ns);

/// Decides when a warm-up of unknown length is over (Measure::find_warmup).
///
/// It checks after 16, 32, 64, ... steps, once the minimum warm-up of the spec is done. Steady
/// steps that are too few for their noise, so that a slow drift might hide in them, are accepted
/// only after a quarter of the limit. At the limit the last check counts, whatever it says.
class WarmupSearch {
 public:
  explicit WarmupSearch(const trial::Measure& measure) : measure_(measure) {}

  /// All steps so far, and the time since the first one began.
  bool is_over(const std::vector<std::int64_t>& step_ns, std::int64_t passed_ns);

  /// The result of the last check.
  const trial::SteadyRecord& record() const { return record_; }

 private:
  const trial::Measure& measure_;
  trial::SteadyRecord record_;
};

}  // namespace tune::worker
