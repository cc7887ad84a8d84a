#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/cuda/plugin.h"
#include "worker/data/loader.h"
#include "worker/measured_window.h"
#include "worker/parent.h"
#include "worker/training_step.h"

#include <cstdint>

namespace tune::worker {

/// What the parts of a trial share while it runs; the reply grows with it.
struct RunningTrial {
  const trial::TrialSpec& spec;
  TrainingStep& step;
  Loader& loader;
  PhaseLines& phases;
  trial::TrialReply& reply;
  CudaPlugin* gpu = nullptr;  ///< null: the trial computes on the CPU

  /// One step; where it begins an epoch, its wait for the first batch is kept.
  StepRecord next_step();

  /// One step that is not measured; its time is kept, and with a GPU that until it is done.
  void warm_step() { keep_waited_step(next_step().phases); }

  /// A step that is over as far as the host is concerned: waits for the GPU, where there is one.
  void keep_waited_step(trial::PhaseSums phases_of_step);

  void keep_step(const trial::PhaseSums& phases_of_step) {
    keep_step_ns(phases_of_step.total_ns());
  }
  void keep_step_ns(std::int64_t step_ns);

  /// Waits until the GPU has done what was launched; the host's time for that, as other_ns.
  /// Nothing on the CPU.
  trial::PhaseSums wait_for_gpu();

  /// The place of the next step in its epoch.
  std::int64_t index_in_epoch() const { return step.index_in_epoch(); }
};

}  // namespace tune::worker
