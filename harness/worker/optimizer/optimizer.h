#pragma once

#include "trial/trial_spec.h"
#include "worker/knob/knob_effect.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <vector>

namespace tune::worker {

/// PyTorch's defaults.
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

/// Updates the parameters from their gradients; parameters without a gradient stay unchanged.
class Optimizer {
 public:
  explicit Optimizer(std::vector<at::Tensor> parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  virtual void step() = 0;

  /// step(), unless the one float of `found_inf` (LossScaler::unscale) is not 0. The host reads it,
  /// which synchronises with the device, as in torch.amp.GradScaler; a fused optimizer leaves the
  /// check to the device. False: it was read, and the step skipped.
  virtual bool step_if_finite(const at::Tensor& found_inf);

  /// Sets all gradients to none, PyTorch's default since 2.0.
  void zero_grad();

  /// The gradients of the parameters that backward() has reached since zero_grad(), in order.
  std::vector<at::Tensor> gradients() const;

 protected:
  std::vector<at::Tensor> parameters_;
};

/// SGD or AdamW, as the workload says, implemented as the knob optimizer_impl says. All
/// implementations compute the same up to rounding.
std::unique_ptr<Optimizer> make_optimizer(StepSettings::OptimizerCall call,
                                          const trial::Workload& workload,
                                          std::vector<at::Tensor> parameters);

/// torch.amp.GradScaler for float16: gradients too small for the type are kept by scaling the loss.
class LossScaler {
 public:
  explicit LossScaler(c10::Device device);

  at::Tensor scale(const at::Tensor& loss) const;

  /// Removes the scale from the gradients and adapts it for the next step. Returns the argument of
  /// Optimizer::step_if_finite(): one float on the device, 1 when a gradient is not finite and this
  /// step must be skipped, else 0. Does not wait for the device.
  at::Tensor unscale(const std::vector<at::Tensor>& gradients);

 private:
  at::Tensor scale_, growth_tracker_;
};

}  // namespace tune::worker
