#include "worker/optimizer/optimizer.h"

#include "worker/optimizer/list_optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

namespace tune::worker {

namespace {

// torch::optim, which goes through the parameters one by one: what LibTorch users have today.
class LoopOptimizer final : public Optimizer {
 public:
  LoopOptimizer(std::unique_ptr<torch::optim::Optimizer> theirs, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)), theirs_(std::move(theirs)) {}

  void step() override { theirs_->step(); }

 private:
  std::unique_ptr<torch::optim::Optimizer> theirs_;
};

std::unique_ptr<torch::optim::Optimizer> make_theirs(const trial::Workload& workload,
                                                     const std::vector<at::Tensor>& parameters) {
  if (workload.optimizer == "adamw") {
    return std::make_unique<torch::optim::AdamW>(parameters,
                                                 torch::optim::AdamWOptions(workload.lr)
                                                     .betas({kBeta1, kBeta2})
                                                     .eps(kEpsilon)
                                                     .weight_decay(workload.weight_decay));
  }
  return std::make_unique<torch::optim::SGD>(parameters,
                                             torch::optim::SGDOptions(workload.lr)
                                                 .momentum(workload.momentum)
                                                 .weight_decay(workload.weight_decay));
}

std::unique_ptr<Optimizer> make_loop_optimizer(const trial::Workload& workload,
                                               std::vector<at::Tensor> parameters) {
  auto theirs = make_theirs(workload, parameters);
  return std::make_unique<LoopOptimizer>(std::move(theirs), std::move(parameters));
}

}  // namespace

bool Optimizer::step_if_finite(const at::Tensor& found_inf) {
  const bool is_finite = found_inf.item<float>() == 0;
  if (is_finite) {
    step();
  }
  return is_finite;
}

void Optimizer::zero_grad() {
  for (const at::Tensor& parameter : parameters_) {
    parameter.mutable_grad().reset();
  }
}

std::vector<at::Tensor> Optimizer::gradients() const {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters_.size());
  for (const at::Tensor& parameter : parameters_) {
    if (parameter.grad().defined()) {
      gradients.push_back(parameter.grad());
    }
  }
  return gradients;
}

std::unique_ptr<Optimizer> make_optimizer(StepSettings::OptimizerCall call,
                                          const trial::Workload& workload,
                                          std::vector<at::Tensor> parameters) {
  switch (call) {
    case StepSettings::OptimizerCall::loop:
      return make_loop_optimizer(workload, std::move(parameters));
    case StepSettings::OptimizerCall::foreach:
      return make_foreach_optimizer(workload, std::move(parameters));
    case StepSettings::OptimizerCall::fused:
      return make_fused_optimizer(workload, std::move(parameters));
  }
  return nullptr;
}

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
