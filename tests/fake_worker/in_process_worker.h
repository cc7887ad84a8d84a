#pragma once

#include "drift_timeline.h"
#include "measure/runner/trial_outcome.h"
#include "script.h"
#include "trial/trial_spec.h"

#include <cstdint>

namespace tune::fake {

/// The fake worker without a process, on its own clock: whole campaigns in milliseconds.
///
/// Returns what the runner would return for the fake worker with the same script. Supports the
/// behaviours that need no process: refuse, out-of-memory and, as outcomes, crash and hang.
class InProcessWorker {
 public:
  explicit InProcessWorker(Script script);

  /// Advances the clock by the trial's time; a trial longer than its timeout is cut there.
  runner::TrialOutcome run(const trial::TrialSpec& spec);

  std::int64_t now_ns() const { return now_ns_; }
  const Script& script() const { return script_; }

 private:
  runner::TrialOutcome outcome_of(const trial::TrialSpec& spec);

  Script script_;
  noise::DriftTimeline drift_;
  std::int64_t now_ns_;
};

}  // namespace tune::fake
