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

  /// Takes the scale out of the gradients and adapts it for the next step. False: a gradient is not
  /// finite, this step must be left out.
  bool unscale(const std::vector<at::Tensor>& gradients);

 private:
  at::Tensor scale_, growth_tracker_;
};

}  // namespace tune::worker
