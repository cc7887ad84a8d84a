#pragma once

#include "script.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

namespace tune::fake {

/// Writes a small trace into the trial's folder, with the real writer, and returns its outcome. Its
/// steps are those of the reply's measured window, stretched as the script says; the clock is the
/// reply's. If the script has a reason why there is no trace, nothing is written. The spec must
/// request a profile.
trial::ProfileOutcome invent_profile(const Script& script,
                                     const trial::TrialSpec& spec,
                                     const trial::TrialReply& reply);

}  // namespace tune::fake
