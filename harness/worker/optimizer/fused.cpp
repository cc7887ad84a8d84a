#include "worker/optimizer/adamw_numbers.h"
#include "worker/optimizer/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

namespace tune::worker {

std::unique_ptr<Optimizer> make_fused_optimizer(const trial::Workload& workload,
                                                std::vector<at::Tensor> parameters);

namespace {

// The whole step is one operator. It walks raw memory, so state has the parameters' strides, and
// so have gradients that autograd made for a parameter that had none.
class FusedSgd final : public Optimizer {
 public:
  FusedSgd(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)),
        lr_(workload.lr),
        momentum_(workload.momentum),
        weight_decay_(workload.weight_decay) {
    if (momentum_ != 0) {
      for (const at::Tensor& parameter : parameters_) {
        velocities_.push_back(at::zeros_like(parameter));
      }
    }
  }

  void step() override {
    const at::NoGradGuard no_grad;
    const std::vector<at::Tensor> gradient = gradients();
    at::_fused_sgd_(parameters_,
                    gradient,
                    velocities_,
                    weight_decay_,
                    momentum_,
                    lr_,
                    /*dampening=*/0,
                    /*nesterov=*/false,
                    /*maximize=*/false,
                    /*is_first_step=*/is_first_);
    is_first_ = false;
  }

 private:
  double lr_, momentum_, weight_decay_;
  bool is_first_ = true;
  std::vector<at::Tensor> velocities_;
};

class FusedAdamW final : public Optimizer {
 public:
  FusedAdamW(const trial::Workload& workload, std::vector<at::Tensor> parameters)
      : Optimizer(std::move(parameters)), lr_(workload.lr), weight_decay_(workload.weight_decay) {
    for (const at::Tensor& parameter : parameters_) {
      means_.push_back(at::zeros_like(parameter));
      squares_.push_back(at::zeros_like(parameter));
      steps_.push_back(at::zeros({}, at::TensorOptions(at::kFloat).device(parameter.device())));
    }
  }

  void step() override {
    const at::NoGradGuard no_grad;
    const std::vector<at::Tensor> gradient = gradients();
    at::_foreach_add_(steps_, 1);
    at::_fused_adamw_(parameters_,
                      gradient,
                      means_,
                      squares_,
                      /*max_exp_avg_sqs=*/{},
                      steps_,
                      lr_,
                      kBeta1,
                      kBeta2,
                      weight_decay_,
                      kEpsilon,
                      /*amsgrad=*/false,
                      /*maximize=*/false);
  }

 private:
  double lr_, weight_decay_;
  std::vector<at::Tensor> means_, squares_, steps_;
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
