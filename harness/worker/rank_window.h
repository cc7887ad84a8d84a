#pragma once

#include "worker/gpu_window.h"
#include "worker/rank/rank_processes.h"
#include "worker/running_trial.h"

namespace tune::worker {

// The measured window of a trial whose processes train together. Without a group these do nothing.

/// By rank 0, before its first slice and after its last one. The reply then has the reports of all
/// ranks, its slices count the samples of all, and on the CPU its peak memory is that of all.
/// Throws std::runtime_error when the ranks had batches of different sizes.
void begin_rank_window(RunningTrial& trial);
void end_rank_window(RunningTrial& trial, const GpuWindow* gpu);

/// By rank 0 at its end: all take one last step. `others`: its processes.
void end_ranks(RunningTrial& trial, RankProcesses* others);

/// What the other ranks do: step after step, until rank 0 takes its last one.
void train_along(RunningTrial& trial);

}  // namespace tune::worker
