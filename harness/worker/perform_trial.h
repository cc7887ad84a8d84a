#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/parent.h"
#include "worker/rank/rank_processes.h"

#include <functional>

namespace tune::worker {

/// When it returns, the reply is on disk, complete and synced.
using SaveReply = std::function<void(trial::TrialReply&)>;

/// The whole trial, from set-up to the end of the measured window, and of the profiled window if
/// the spec has one: when it returns, the phase `write` has begun. Throws whatever goes wrong
/// before there is a result (worker/failure.h turns it into text).
///
/// `gpu` computes if the spec's device is cuda, else it is null. `others`: of rank 0 of several,
/// the processes that train along; the others return an empty reply when rank 0 has ended.
///
/// Before the profiled window the result is saved with the profile's outcome in case the worker
/// dies in that window. Failures in it are outcomes of the profile, not of the trial.
trial::TrialReply perform_trial(const trial::TrialSpec& spec,
                                PhaseLines& phases,
                                const SaveReply& save,
                                CudaPlugin* gpu,
                                RankProcesses* others = nullptr);

}  // namespace tune::worker
