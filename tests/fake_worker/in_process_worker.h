#pragma once

#include "drift_timeline.h"
#include "measure/runner/trial_outcome.h"
#include "script.h"
#include "trial/trial_spec.h"

#include <cstdint>

namespace tune::fake {

/// The fake worker without a process, on a clock of its own: whole campaigns in milliseconds.
///
/// Gives what the runner would give for the fake worker with the same script. Of the behaviours it
/// knows those that need no process: refuse, out-of-memory and, as outcomes, crash and hang.
class InProcessWorker {
 public:
  explicit InProcessWorker(Script script);

  /// Lets the trial's time pass; a trial that would last longer than its timeout is cut there.
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
