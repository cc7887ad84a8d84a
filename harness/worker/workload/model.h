#pragma once

#include "trial/trial_spec.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace tune::worker {

/// A network on the CPU, float32, in training mode if made for the task `train`.
class Model {
 public:
  virtual ~Model() = default;

  /// Images [N, 3, S, S] float32 -> [N, classes]; tokens [N, S] int64 -> [N, S, vocabulary]; the
  /// user's own model defines its own shapes. During training the model must outlive the backward
  /// pass.
  virtual at::Tensor forward(const at::Tensor& input) = 0;

  /// The training loss, one number: loss_of(forward(input), labels) unless a model overrides it.
  virtual at::Tensor loss(const at::Tensor& input, const at::Tensor& labels);

  /// Runs backward from a loss of this model, or a multiple of it: adds to the gradients.
  virtual void backward(const at::Tensor& loss) { loss.backward(); }

  /// Handles to the trained tensors, in the order of the layers.
  virtual std::vector<at::Tensor> parameters() const = 0;

  /// Handles to tensors that are stored but not trained (running statistics).
  virtual std::vector<at::Tensor> buffers() const = 0;
};

/// The number of trained parameters.
std::int64_t count_parameters(const Model& model);

/// Mean cross entropy, a number: of scores [N, classes] for labels [N], or of scores [N, S,
/// classes] for labels [N, S]. Positions whose label is kNoLabel (data/token_samples.h) do not
/// count; at least one other is needed.
at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& labels);

/// The tensors of a user's model: those that an optimizer may change, and the rest.
struct TrainedTensors {
  std::vector<at::Tensor> trained, kept;
};

/// Each tensor once, even when a model names it twice (tied weights). A parameter without
/// requires_grad is frozen: it is treated like a buffer.
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
