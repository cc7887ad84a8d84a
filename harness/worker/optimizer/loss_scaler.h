#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <vector>

namespace tune::worker {

/// torch.amp.GradScaler for float16: gradients too small for the type are kept by scaling the loss.
class LossScaler {
 public:
  explicit LossScaler(c10::Device device);

  at::Tensor scale(const at::Tensor& loss) const;

  /// Takes the scale out of the gradients and adapts it for the next step. Gives what
  /// Optimizer::step_if_finite() takes: one float on the device, 1 where a gradient is not finite
  /// and this step must be left out, else 0. Does not wait for the device.
  at::Tensor unscale(const std::vector<at::Tensor>& gradients);

 private:
  at::Tensor scale_, growth_tracker_;
};

}  // namespace tune::worker
