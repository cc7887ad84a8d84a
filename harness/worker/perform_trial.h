#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/phase_lines.h"

namespace tune::worker {

/// The whole trial, from set-up to the end of the measured window: when it returns, the phase
/// `write` has begun. Throws what goes wrong (worker/failure.h turns it into words).
trial::TrialReply perform_trial(const trial::TrialSpec& spec, PhaseLines& phases);

}  // namespace tune::worker
