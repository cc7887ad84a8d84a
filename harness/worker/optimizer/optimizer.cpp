#include "worker/optimizer/optimizer.h"

namespace tune::worker {

using Make = std::unique_ptr<Optimizer>(const trial::Workload&, std::vector<at::Tensor>);
Make make_loop_optimizer;
Make make_foreach_optimizer;
Make make_fused_optimizer;

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

}  // namespace tune::worker
