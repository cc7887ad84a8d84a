#pragma once

#include <ATen/core/Tensor.h>

#include <set>
#include <vector>

namespace tune::worker {

/// The tensors of a model that others have written: what an optimizer may change, and the rest.
struct TrainedTensors {
  std::vector<at::Tensor> trained, kept;
};

/// Each tensor once, also where a model names it twice (tied weights). A parameter that requires no
/// gradient is frozen: it is kept like a buffer.
inline TrainedTensors split_tensors(const std::vector<at::Tensor>& parameters,
                                    const std::vector<at::Tensor>& buffers) {
  TrainedTensors tensors;
  std::set<const at::TensorImpl*> seen;
  const auto is_new = [&](const at::Tensor& tensor) {
    return tensor.defined() && seen.insert(tensor.unsafeGetTensorImpl()).second;
  };
  for (const at::Tensor& tensor : parameters) {
    if (is_new(tensor)) {
      (tensor.requires_grad() ? tensors.trained : tensors.kept).push_back(tensor);
    }
  }
  for (const at::Tensor& tensor : buffers) {
    if (is_new(tensor)) {
      tensors.kept.push_back(tensor);
    }
  }
  return tensors;
}

}  // namespace tune::worker
