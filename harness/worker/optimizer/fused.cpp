#include "worker/optimizer/adamw_numbers.h"
#include "worker/optimizer/list_optimizer.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <utility>

namespace tune::worker {

std::unique_ptr<Optimizer> make_fused_optimizer(const trial::Workload& workload,
                                                std::vector<at::Tensor> parameters);

namespace {

// Both operators leave a step out by themselves: the host never reads whether it was.
class FusedOptimizer : public ListOptimizer {
 public:
  using ListOptimizer::ListOptimizer;

  bool step_if_finite(const at::Tensor& found_inf) override {
    step_unless(found_inf);
    return true;
  }
};

// The whole step is one operator. It walks raw memory, so state has the parameters' strides, and
// so have gradients that autograd made for a parameter that had none.
class FusedSgd final : public FusedOptimizer {
 public:
  FusedSgd(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : FusedOptimizer(std::move(parameters)),
        lr_(workload.lr),
        momentum_(workload.momentum),
        weight_decay_(workload.weight_decay) {}

 private:
  std::vector<at::Tensor> new_state(const at::Tensor& parameter) const override {
    return momentum_ == 0 ? std::vector<at::Tensor>() : std::vector{at::zeros_like(parameter)};
  }

  // What is reached later than others begins with a velocity of 0, which comes to the same.
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

  double lr_, momentum_, weight_decay_;
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
    if (lists.found_inf) {  // what was left out was no step
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
