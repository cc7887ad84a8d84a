#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace tune::worker {

/// The trained tensors of a model that is written without torch::nn, in the order in which they
/// were made: float32, on the CPU, drawn from LibTorch's default generator.
class Weights {
 public:
  /// Normally distributed around 0.
  at::Tensor normal(at::IntArrayRef sizes, double deviation);
  at::Tensor ones(std::int64_t size);
  at::Tensor zeros(std::int64_t size);

  const std::vector<at::Tensor>& all() const { return all_; }

 private:
  at::Tensor keep(at::Tensor weight);

  std::vector<at::Tensor> all_;
};

}  // namespace tune::worker
