#pragma once

#include "script.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

namespace tune::fake {

/// Writes a small trace into the trial's folder, by the writer's own means, and tells of it. Its
/// steps are those of the reply's measured window, stretched as the script says; the clock is the
/// reply's. Where the script has a reason why there is none, nothing is written. The spec asks for
/// a profile.
trial::ProfileOutcome invent_profile(const Script& script,
                                     const trial::TrialSpec& spec,
                                     const trial::TrialReply& reply);

}  // namespace tune::fake
