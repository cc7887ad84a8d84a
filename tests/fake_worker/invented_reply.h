#pragma once

#include "drift_timeline.h"
#include "script.h"
#include "trial/trial_reply.h"
#include "trial/trial_spec.h"

#include <cstdint>

namespace tune::fake {

/// When a process starts: on the clock of its reply and in the machine's lifetime.
struct StartTime {
  std::int64_t clock_ns = 0;
  std::int64_t machine_ns = 0;
};

/// The drift of the script's machine, the same for all of its processes.
noise::DriftTimeline drift_of(const Script& script);

/// What a worker would measure on the machine that the script describes. Its times begin at `start`
/// and advance without waiting. If the script or the machine makes it fail, it contains only facts,
/// phases and the failure.
trial::TrialReply invent_reply(const Script& script,
                               const trial::TrialSpec& spec,
                               StartTime start,
                               noise::DriftTimeline& drift);

/// How long the process of a reply lived, from its phases.
std::int64_t duration_ns(const trial::TrialReply& reply);

}  // namespace tune::fake
