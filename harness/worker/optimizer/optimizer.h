#pragma once

#include "trial/trial_spec.h"
#include "worker/knob/knob_effect.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace tune::worker {

/// Changes the parameters by their gradients.
class Optimizer {
 public:
  explicit Optimizer(std::vector<at::Tensor> parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  virtual void step() = 0;

  /// Sets all gradients to none, PyTorch's default since 2.0.
  void zero_grad();

  /// The gradients, one for each parameter. Throws std::runtime_error where one is missing:
  /// backward() has not reached that parameter.
  std::vector<at::Tensor> gradients() const;

 protected:
  std::vector<at::Tensor> parameters_;
};

/// SGD or AdamW as the workload says, called as the knob optimizer_impl says. All calls compute the
/// same up to rounding.
std::unique_ptr<Optimizer> make_optimizer(StepSettings::OptimizerCall call,
                                          const trial::Workload& workload,
                                          std::vector<at::Tensor> parameters);

}  // namespace tune::worker
