#include "worker/place_model.h"

#include <ATen/core/grad_mode.h>

namespace tune::worker {

void place_model(const Model& model, c10::Device device) {
  const at::NoGradGuard no_grad;
  for (const auto& tensors : {model.parameters(), model.buffers()}) {
    for (const at::Tensor& tensor : tensors) {
      tensor.set_data(tensor.to(tensor.options().device(device)));
    }
  }
}

}  // namespace tune::worker
