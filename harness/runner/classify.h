#pragma once

#include "runner/trial_outcome.h"
#include "runner/worker_process.h"
#include "trial/trial_spec.h"

#include <string>

namespace tune::runner {

/// What was seen of a trial from outside.
struct Evidence {
  ProcessEnd end;
  std::string interrupted;     ///< why we ended it before its time, "" when we did not
  bool stop_asked = false;     ///< by its end we had been told to stop
  std::string timed_out;       ///< the deadline at which we ended it, "" when we did not
  std::string phase;           ///< the last one begun
  std::string phase_problem;   ///< of the phase lines
  bool wanted_memory = false;  ///< it printed that memory could not be had
  bool kernel_killed = false;  ///< the control group counts one more kill for want of memory
};

/// Sets kind, reason and reply of the outcome; reads <folder>/reply.json. Throws a MachineError
/// where the worker says that the machine, not the trial, kept it from its reply.
void classify(const trial::TrialSpec& spec, const Evidence& evidence, TrialOutcome& outcome);

}  // namespace tune::runner
