#pragma once

#include "trial/trial_reply.h"
#include "trial/trial_spec.h"
#include "worker/workload/model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tune::worker {

/// The loss at steps 1, 2, 4, 8, ... and at the last one. Nothing is read before it is requested,
/// because reading synchronises with the device.
class LossRecord {
 public:
  void keep(std::int64_t step, at::Tensor loss);

  /// As keep(), of a loss whose memory the next step overwrites.
  void keep_overwritten(std::int64_t step, const at::Tensor& loss);

  /// The loss of these scores, computed only on request: cross entropy, or their mean square when
  /// they are not scores of classes for these labels. Scores of sequences are too large to keep:
  /// their loss is computed at once at steps 1, 2, 4, 8, ...; other steps have none.
  void keep_scores(std::int64_t step, at::Tensor scores, at::Tensor labels);

  /// For the last step that was kept.
  double last() const;

  std::vector<trial::Loss> all() const;

 private:
  struct Kept {
    std::int64_t step = 0;
    at::Tensor loss_or_scores, labels;  ///< labels only with scores
  };
  static bool is_listed(std::int64_t step);
  static double value_of(const Kept& kept);
  void keep(Kept kept);

  std::vector<Kept> at_powers_;
  Kept last_;
};

/// The other work of a training script: it prints the loss and saves the weights.
class HostWork {
 public:
  explicit HostWork(const trial::TrialSpec& spec) : spec_(spec) {}

  void after_step(std::int64_t step, const Model& model, const LossRecord& losses) const;

 private:
  void save(const Model& model) const;

  const trial::TrialSpec& spec_;
};

}  // namespace tune::worker
