#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/data/loader.h"
#include "worker/measured_window.h"
#include "worker/parent.h"
#include "worker/rank/rank_group.h"
#include "worker/training_step.h"

#include <cstdint>

namespace tune::worker {

/// State shared by the parts of a running trial; the reply grows with it.
struct RunningTrial {
  const trial::TrialSpec& spec;
  TrainingStep& step;
  Loader& loader;
  PhaseLines& phases;
  trial::TrialReply& reply;
  CudaPlugin* gpu = nullptr;   ///< null: the trial computes on the CPU
  RankGroup* group = nullptr;  ///< null: it trains alone

  /// One step; if it begins an epoch, its wait for the first batch is recorded.
  StepRecord next_step();

  /// The edges of a step whose parts are not next_step()'s: for the other ranks, where there are.
  void begin_step();
  void end_step(const StepRecord& record);

  /// One step that is not measured; its time is recorded, with a GPU until the GPU is done.
  void warm_step() { keep_waited_step(next_step().phases); }

  /// Completes a step that the host has finished: waits for the GPU, if there is one.
  void keep_waited_step(trial::PhaseSums phases_of_step);

  void keep_step(const trial::PhaseSums& phases_of_step) {
    keep_step_ns(phases_of_step.total_ns());
  }
  void keep_step_ns(std::int64_t step_ns);

  /// Waits until the GPU has done what was launched; returns the host's waiting time as other_ns.
  /// Does nothing on the CPU.
  trial::PhaseSums wait_for_gpu();

  /// The index of the next step in its epoch.
  std::int64_t index_in_epoch() const { return step.index_in_epoch(); }
};

}  // namespace tune::worker
