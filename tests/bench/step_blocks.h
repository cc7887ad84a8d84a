#pragma once

#include "trial/trial_spec.h"
#include "worker/data/loader.h"
#include "worker/knob/all_knobs.h"
#include "worker/training_step.h"
#include "worker/workload/all_workloads.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tune::bench {

/// The worker's own training step on one thread, on synthetic images, in blocks of steps.
class StepBlocks {
 public:
  StepBlocks(const std::string& model, std::int64_t image_size, std::int64_t batch_size);

  /// Median of the times of `steps` steps.
  double block_ns(int steps);

 private:
  trial::TrialSpec spec_;
  worker::StepSettings settings_;
  decltype(worker::make_loader(spec_)) loader_;
  decltype(worker::make_model(spec_.workload, settings_.model)) model_;
  worker::TrainingStep training_;
};

}  // namespace tune::bench
