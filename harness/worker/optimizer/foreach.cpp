#include "worker/optimizer/adamw_numbers.h"
#include "worker/optimizer/list_optimizer.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::worker {

std::unique_ptr<Optimizer> make_foreach_optimizer(const trial::Workload& workload,
                                                  std::vector<at::Tensor> parameters);

namespace {

// One operator for all parameters at a time, as Python's optimizers do with foreach=True.
class ForeachSgd final : public ListOptimizer {
 public:
  ForeachSgd(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : ListOptimizer(std::move(parameters)),
        lr_(workload.lr),
        momentum_(workload.momentum),
        weight_decay_(workload.weight_decay) {}

 private:
  std::vector<at::Tensor> new_state(const at::Tensor& parameter) const override {
    return momentum_ == 0 ? std::vector<at::Tensor>() : std::vector{at::zeros_like(parameter)};
  }

  void change(Lists& lists) override {
    std::vector<at::Tensor> decayed;
    if (weight_decay_ != 0) {
      decayed = at::_foreach_add(lists.gradients, lists.parameters, weight_decay_);
    }
    const at::TensorList direction = weight_decay_ != 0 ? decayed : lists.gradients;
    if (momentum_ == 0) {
      at::_foreach_add_(lists.parameters, direction, -lr_);
      return;
    }
    const at::TensorList velocities = lists.state[0];
    at::_foreach_mul_(velocities, momentum_);
    at::_foreach_add_(velocities, direction);
    at::_foreach_add_(lists.parameters, velocities, -lr_);
  }

  double lr_, momentum_, weight_decay_;
};

class ForeachAdamW final : public ListOptimizer {
 public:
  ForeachAdamW(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : ListOptimizer(std::move(parameters)),
        lr_(workload.lr),
        weight_decay_(workload.weight_decay) {}

 private:
  std::vector<at::Tensor> new_state(const at::Tensor& parameter) const override {
    return {at::zeros_like(parameter), at::zeros_like(parameter)};
  }

  void change(Lists& lists) override {
    const at::TensorList means = lists.state[0], squares = lists.state[1];
    at::_foreach_mul_(lists.parameters, 1 - lr_ * weight_decay_);
    at::_foreach_lerp_(means, lists.gradients, 1 - kBeta1);
    at::_foreach_mul_(squares, kBeta2);
    at::_foreach_addcmul_(squares, lists.gradients, lists.gradients, 1 - kBeta2);
    auto denominators = at::_foreach_sqrt(squares);
    const std::int64_t first = lists.steps.front();
    const bool are_equal = std::all_of(
        lists.steps.begin(), lists.steps.end(), [&](std::int64_t steps) { return steps == first; });
    if (are_equal) {
      at::_foreach_div_(denominators, bias_of_squares(first));
      at::_foreach_add_(denominators, kEpsilon);
      at::_foreach_addcdiv_(lists.parameters, means, denominators, rate_after(first));
      return;
    }
    std::vector<at::Scalar> biases, rates;
    for (const std::int64_t steps : lists.steps) {
      biases.emplace_back(bias_of_squares(steps));
      rates.emplace_back(rate_after(steps));
    }
    at::_foreach_div_(denominators, at::ArrayRef<at::Scalar>(biases));
    at::_foreach_add_(denominators, kEpsilon);
    at::_foreach_addcdiv_(lists.parameters, means, denominators, at::ArrayRef<at::Scalar>(rates));
  }

  static double bias_of_squares(std::int64_t steps) {
    return std::sqrt(1 - std::pow(kBeta2, static_cast<double>(steps)));
  }
  double rate_after(std::int64_t steps) const {
    return -lr_ / (1 - std::pow(kBeta1, static_cast<double>(steps)));
  }

  double lr_, weight_decay_;
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
