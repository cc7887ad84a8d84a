#include "worker/optimizer/loss_scaler.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/zeros.h>

namespace tune::worker {

namespace {

// GradScaler's defaults.
constexpr double kFirstScale = 65536, kGrowth = 2, kBackoff = 0.5;
constexpr std::int64_t kGrowthInterval = 2000;

}  // namespace

LossScaler::LossScaler(c10::Device device)
    : scale_(at::full({1}, kFirstScale, at::TensorOptions(at::kFloat).device(device))),
      growth_tracker_(at::zeros({1}, at::TensorOptions(at::kInt).device(device))) {}

at::Tensor LossScaler::scale(const at::Tensor& loss) const {
  return at::mul(loss, scale_.squeeze());
}

at::Tensor LossScaler::unscale(const std::vector<at::Tensor>& gradients) {
  const at::NoGradGuard no_grad;
  at::Tensor found_inf = at::zeros({1}, scale_.options());
  if (!gradients.empty()) {
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, scale_.reciprocal());
    at::_amp_update_scale_(scale_, growth_tracker_, found_inf, kGrowth, kBackoff, kGrowthInterval);
  }
  return found_inf;
}

}  // namespace tune::worker
