#include "worker/optimizer/list_optimizer.h"

#include "worker/optimizer/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tune::worker {

void ListOptimizer::step_unless(const std::optional<at::Tensor>& found_inf) {
  const at::NoGradGuard no_grad;
  reached_.clear();
  lists_.gradients.clear();
  for (std::size_t place = 0; place < parameters_.size(); ++place) {
    if (const at::Tensor& gradient = parameters_[place].grad(); gradient.defined()) {
      reached_.push_back(place);
      lists_.gradients.push_back(gradient);
    }
  }
  if (reached_.empty()) {
    return;
  }
  if (reached_ != listed_) {
    gather();
  }
  for (std::int64_t& steps : lists_.steps) {
    ++steps;
  }
  lists_.found_inf = found_inf;
  change(lists_);
  lists_.gradients.clear();  // zero_grad() frees their memory
}

// State tensors are changed in place, so that the lists stay valid from step to step.
void ListOptimizer::gather() {
  states_.resize(parameters_.size());
  steps_.resize(parameters_.size());
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    steps_[listed_[i]] = lists_.steps[i];
  }
  listed_ = reached_;
  lists_.parameters.clear();
  lists_.state.clear();
  lists_.steps.clear();
  for (const std::size_t place : listed_) {
    std::vector<at::Tensor>& state = states_[place];
    if (steps_[place] == 0) {
      state = new_state(parameters_[place]);
    }
    lists_.parameters.push_back(parameters_[place]);
    lists_.steps.push_back(steps_[place]);
    lists_.state.resize(state.size());
    for (std::size_t kind = 0; kind < state.size(); ++kind) {
      lists_.state[kind].push_back(state[kind]);
    }
  }
}

namespace {

template <class Base>
class Sgd : public Base {
 public:
  Sgd(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : Base(std::move(parameters)),
        lr_(workload.lr),
        momentum_(workload.momentum),
        weight_decay_(workload.weight_decay) {}

 protected:
  double lr_, momentum_, weight_decay_;

 private:
  std::vector<at::Tensor> new_state(const at::Tensor& parameter) const override {
    return momentum_ == 0 ? std::vector<at::Tensor>() : std::vector{at::zeros_like(parameter)};
  }
};

// One operator for all parameters, as Python's optimizers do with foreach=True.
class ForeachSgd final : public Sgd<ListOptimizer> {
 public:
  using Sgd::Sgd;

 private:
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

namespace {

// Both operators skip a step themselves: the host never reads whether they did.
class FusedOptimizer : public ListOptimizer {
 public:
  using ListOptimizer::ListOptimizer;

  bool step_if_finite(const at::Tensor& found_inf) override {
    step_unless(found_inf);
    return true;
  }
};

// The whole step is one operator. It walks raw memory, so state has the parameters' strides, as do
// gradients that autograd creates for a parameter without one.
class FusedSgd final : public Sgd<FusedOptimizer> {
 public:
  using Sgd::Sgd;

 private:
  // Parameters first reached later start with a velocity of 0, which is equivalent.
  void change(Lists& lists) override {
    const bool is_first = std::all_of(
        lists.steps.begin(), lists.steps.end(), [](std::int64_t steps) { return steps == 1; });
    at::_fused_sgd_(lists.parameters,
                    lists.gradients,
                    momentum_ == 0 ? at::TensorList() : at::TensorList(lists.state[0]),
                    weight_decay_,
                    momentum_,
                    lr_,
                    /*dampening=*/0,
                    /*nesterov=*/false,
                    /*maximize=*/false,
                    /*is_first_step=*/is_first,
                    /*grad_scale=*/{},
                    lists.found_inf);
  }
};

class FusedAdamW final : public FusedOptimizer {
 public:
  FusedAdamW(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : FusedOptimizer(std::move(parameters)),
        lr_(workload.lr),
        weight_decay_(workload.weight_decay) {}

 private:
  std::vector<at::Tensor> new_state(const at::Tensor& parameter) const override {
    return {at::zeros_like(parameter),
            at::zeros_like(parameter),
            at::zeros({}, at::TensorOptions(at::kFloat).device(parameter.device()))};
  }

  void change(Lists& lists) override {
    at::_foreach_add_(lists.state[2], 1);  // the operator counts on the device
    at::_fused_adamw_(lists.parameters,
                      lists.gradients,
                      lists.state[0],
                      lists.state[1],
                      /*max_exp_avg_sqs=*/{},
                      lists.state[2],
                      lr_,
                      kBeta1,
                      kBeta2,
                      weight_decay_,
                      kEpsilon,
                      /*amsgrad=*/false,
                      /*maximize=*/false,
                      /*grad_scale=*/{},
                      lists.found_inf);
    if (lists.found_inf) {  // a skipped step does not count
      const std::vector<at::Tensor> not_done(lists.steps.size(), lists.found_inf->squeeze());
      at::_foreach_sub_(lists.state[2], not_done);
    }
  }

  double lr_, weight_decay_;
};

}  // namespace

std::unique_ptr<Optimizer> make_fused_optimizer(const trial::Workload& workload,
                                                std::vector<at::Tensor> parameters) {
  if (workload.optimizer == "adamw") {
    return std::make_unique<FusedAdamW>(workload, std::move(parameters));
  }
  return std::make_unique<FusedSgd>(workload, std::move(parameters));
}

}  // namespace tune::worker
