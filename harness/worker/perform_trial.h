#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/parent.h"

#include <functional>

namespace tune::worker {

/// Has the reply on disk, complete and synced, when it returns.
using SaveReply = std::function<void(trial::TrialReply&)>;

/// The whole trial, from set-up to the end of the measured window, and of the profiled window where
/// the spec asks for one: when it returns, the phase `write` has begun. Throws what goes wrong
/// before there is a result (worker/failure.h turns it into words).
///
/// `gpu` computes where the spec's device is cuda, else it is null.
///
/// Before the profiled window the result is saved, with an outcome of the profile that holds if the
/// worker dies in it. What goes wrong in it is an outcome of the profile, not of the trial.
trial::TrialReply perform_trial(const trial::TrialSpec& spec,
                                PhaseLines& phases,
                                const SaveReply& save,
                                CudaPlugin* gpu);

}  // namespace tune::worker
