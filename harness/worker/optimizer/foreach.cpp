#include "worker/optimizer/adamw_numbers.h"
#include "worker/optimizer/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace tune::worker {

std::unique_ptr<Optimizer> make_foreach_optimizer(const trial::Workload& workload,
                                                  std::vector<at::Tensor> parameters);

namespace {

// One operator for all parameters at a time, as Python's optimizers do with foreach=True.
class ForeachSgd final : public Optimizer {
 public:
  ForeachSgd(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)),
        lr_(workload.lr),
        momentum_(workload.momentum),
        weight_decay_(workload.weight_decay) {}

  void step() override {
    const at::NoGradGuard no_grad;
    std::vector<at::Tensor> direction = gradients();
    if (weight_decay_ != 0) {
      direction = at::_foreach_add(direction, parameters_, weight_decay_);
    }
    if (momentum_ != 0) {
      if (velocities_.empty()) {
        for (const at::Tensor& gradient : direction) {
          velocities_.push_back(gradient.clone());
        }
      } else {
        at::_foreach_mul_(velocities_, momentum_);
        at::_foreach_add_(velocities_, direction);
      }
    }
    at::_foreach_add_(parameters_, momentum_ != 0 ? velocities_ : direction, -lr_);
  }

 private:
  double lr_, momentum_, weight_decay_;
  std::vector<at::Tensor> velocities_;
};

class ForeachAdamW final : public Optimizer {
 public:
  ForeachAdamW(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)), lr_(workload.lr), weight_decay_(workload.weight_decay) {
    for (const at::Tensor& parameter : parameters_) {
      means_.push_back(at::zeros_like(parameter));
      squares_.push_back(at::zeros_like(parameter));
    }
  }

  void step() override {
    const at::NoGradGuard no_grad;
    const std::vector<at::Tensor> gradient = gradients();
    ++steps_;
    at::_foreach_mul_(parameters_, 1 - lr_ * weight_decay_);
    at::_foreach_lerp_(means_, gradient, 1 - kBeta1);
    at::_foreach_mul_(squares_, kBeta2);
    at::_foreach_addcmul_(squares_, gradient, gradient, 1 - kBeta2);
    auto denominators = at::_foreach_sqrt(squares_);
    at::_foreach_div_(denominators, std::sqrt(1 - std::pow(kBeta2, steps_)));
    at::_foreach_add_(denominators, kEpsilon);
    at::_foreach_addcdiv_(parameters_, means_, denominators, -lr_ / (1 - std::pow(kBeta1, steps_)));
  }

 private:
  double lr_, weight_decay_;
  double steps_ = 0;
  std::vector<at::Tensor> means_, squares_;
};

}  // namespace

std::unique_ptr<Optimizer> make_foreach_optimizer(const trial::Workload& workload,
                                                  std::vector<at::Tensor> parameters) {
  if (workload.optimizer == "adamw") {
    return std::make_unique<ForeachAdamW>(workload, std::move(parameters));
  }
  return std::make_unique<ForeachSgd>(workload, std::move(parameters));
}

}  // namespace tune::worker
