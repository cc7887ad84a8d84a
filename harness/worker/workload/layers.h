#pragma once

#include "worker/workload/model_settings.h"
#include "worker/workload/weights.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tune::worker {

/// x W^T + b.
class LinearLayer {
 public:
  struct Shape {
    std::int64_t in, out;
    double deviation = 0.02;  ///< of the weights at first: that of BERT and GPT-2
  };
  LinearLayer(Weights& weights, const Shape& shape);

  /// [.., in] -> [.., out], in a module range of this name.
  at::Tensor operator()(const char* name, const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
};

/// Layer norm over the last dimension, as one operator or composed: mean, difference, square, mean,
/// root, quotient, scale, shift.
class NormLayer {
 public:
  struct Shape {
    std::int64_t size;
    double epsilon;
  };
  NormLayer(Weights& weights, const Shape& shape, ModelSettings::Operators operators);

  /// In a module range of this name.
  at::Tensor operator()(const char* name, const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
  double epsilon_;
  ModelSettings::Operators operators_;
};

}  // namespace tune::worker
