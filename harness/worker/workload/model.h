#pragma once

#include "trial/trial_spec.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace tune::worker {

/// A network on the CPU, float32, in training mode when it is made for the task `train`.
class Model {
 public:
  virtual ~Model() = default;

  /// Images [N, 3, S, S] float32 -> [N, classes]; tokens [N, S] int64 -> [N, S, vocabulary]; of a
  /// model of the user's own what it takes and makes. While a model is trained it must outlive the
  /// backward pass.
  virtual at::Tensor forward(const at::Tensor& input) = 0;

  /// What training goes back from, one number: loss_of(forward(input), labels) where a
  /// model does not say otherwise.
  virtual at::Tensor loss(const at::Tensor& input, const at::Tensor& labels);

  /// Goes back from a loss of this model, or a multiple of one: adds to the gradients.
  virtual void backward(const at::Tensor& loss) { loss.backward(); }

  /// Handles to the trained tensors, in the order of the layers.
  virtual std::vector<at::Tensor> parameters() const = 0;

  /// Handles to what is kept but not trained (running statistics).
  virtual std::vector<at::Tensor> buffers() const = 0;
};

/// How many numbers are trained.
std::int64_t count_parameters(const Model& model);

/// Mean cross entropy, a number: of scores [N, classes] for labels [N], or of scores [N, S,
/// classes] for labels [N, S]. Places whose label is kNoLabel (data/token_samples.h) do not count;
/// at least one must.
at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& labels);

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
