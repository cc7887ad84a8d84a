#include "worker/optimizer/adamw_numbers.h"
#include "worker/optimizer/optimizer.h"

#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

namespace tune::worker {

std::unique_ptr<Optimizer> make_loop_optimizer(const trial::Workload& workload,
                                               std::vector<at::Tensor> parameters);

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

}  // namespace

std::unique_ptr<Optimizer> make_loop_optimizer(const trial::Workload& workload,
                                               std::vector<at::Tensor> parameters) {
  auto theirs = make_theirs(workload, parameters);
  return std::make_unique<LoopOptimizer>(std::move(theirs), std::move(parameters));
}

}  // namespace tune::worker
