#include "worker/loss_record.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <bit>
#include <utility>

namespace tune::worker {

void LossRecord::keep(std::int64_t step, at::Tensor loss) {
  keep({step, std::move(loss), {}});
}

void LossRecord::keep_scores(std::int64_t step, at::Tensor scores, at::Tensor labels) {
  keep({step, std::move(scores), std::move(labels)});
}

void LossRecord::keep(Kept kept) {
  if (std::has_single_bit(static_cast<std::uint64_t>(kept.step))) {
    at_powers_.push_back(kept);
  }
  last_ = std::move(kept);
}

double LossRecord::value_of(const Kept& kept) {
  const at::NoGradGuard no_grad;
  const at::Tensor loss =
      kept.labels.defined()
          ? at::cross_entropy_loss(kept.loss_or_scores.to(at::kFloat), kept.labels)
          : kept.loss_or_scores;
  return loss.item<double>();
}

double LossRecord::last() const {
  return value_of(last_);
}

std::vector<trial::Loss> LossRecord::all() const {
  std::vector<trial::Loss> losses;
  for (const Kept& kept : at_powers_) {
    losses.push_back({kept.step, value_of(kept)});
  }
  if (last_.step > 0 && (losses.empty() || losses.back().step != last_.step)) {
    losses.push_back({last_.step, value_of(last_)});
  }
  return losses;
}

}  // namespace tune::worker
