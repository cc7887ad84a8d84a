#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/workload/model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tune::worker {

/// The loss at steps 1, 2, 4, 8, ... and at the last one. Nothing is read before it is asked for,
/// since reading would make a device wait.
class LossRecord {
 public:
  void keep(std::int64_t step, at::Tensor loss);

  /// The loss of these scores, computed only if it is asked for: cross entropy; their mean square
  /// where they are no scores of classes with these labels. Scores of sequences are too large to be
  /// kept: their loss is computed at once at steps 1, 2, 4, 8, ..., other steps have none.
  void keep_scores(std::int64_t step, at::Tensor scores, at::Tensor labels);

  /// Of the last step kept.
  double last() const;

  std::vector<trial::Loss> all() const;

 private:
  struct Kept {
    std::int64_t step = 0;
    at::Tensor loss_or_scores, labels;  ///< labels only beside scores
  };
  static double value_of(const Kept& kept);
  void keep(Kept kept);

  std::vector<Kept> at_powers_;
  Kept last_;
};

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
