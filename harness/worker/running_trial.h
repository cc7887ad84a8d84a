#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/data/loader.h"
#include "worker/measured_window.h"
#include "worker/phase_lines.h"
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

  /// One step; where it begins an epoch, its wait for the first batch is kept.
  StepRecord next_step();

  /// One step that is not measured; its time is kept.
  void warm_step() { keep_step(next_step().phases); }

  void keep_step(const trial::PhaseSums& phases_of_step);

  /// The place of the next step in its epoch.
  std::int64_t index_in_epoch() const { return step.steps() % loader.batches_per_epoch(); }
};

}  // namespace tune::worker
