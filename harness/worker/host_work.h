#pragma once

#include "trial/trial_spec.h"
#include "worker/loss_record.h"
#include "worker/workload/model.h"

#include <cstdint>

namespace tune::worker {

/// What a training script does besides computing: it prints the loss and saves the weights.
class HostWork {
 public:
  explicit HostWork(const trial::TrialSpec& spec) : spec_(spec) {}

  void after_step(std::int64_t step, const Model& model, const LossRecord& losses) const;

 private:
  void save(const Model& model) const;

  const trial::TrialSpec& spec_;
};

}  // namespace tune::worker
