#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <vector>

namespace tune::worker {

/// What stats::find_steady_state makes of the steps of a warm-up, by its usual rules.
trial::SteadyRecord steady_record(const std::vector<std::int64_t>& step_ns);

/// Decides when a warm-up whose length is not known is over (Measure::find_warmup).
///
/// It looks at 16, 32, 64, ... steps, once the least warm-up of the spec is done. Steady steps that
/// are too few for their noise, so that a slow drift might hide in them, are taken for steady only
/// when a quarter of the limit has passed. At the limit the last look counts, whatever it says.
class WarmupSearch {
 public:
  explicit WarmupSearch(const trial::Measure& measure) : measure_(measure) {}

  /// All steps so far, and the time since the first one began.
  bool is_over(const std::vector<std::int64_t>& step_ns, std::int64_t passed_ns);

  /// Of the last look.
  const trial::SteadyRecord& record() const { return record_; }

 private:
  const trial::Measure& measure_;
  trial::SteadyRecord record_;
};

}  // namespace tune::worker
