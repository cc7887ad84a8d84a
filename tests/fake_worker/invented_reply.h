#pragma once

#include "script.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

namespace tune::fake {

/// What a worker would have found out on the machine that the script describes. Its times begin at
/// `now_ns` and run on without waiting for them.
trial::TrialReply invent_reply(const Script& script,
                               const trial::TrialSpec& spec,
                               std::int64_t now_ns);

}  // namespace tune::fake
