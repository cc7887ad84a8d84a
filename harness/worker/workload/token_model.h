#pragma once

#include "worker/knob/knob_effect.h"
#include "worker/workload/checkpoint.h"
#include "worker/workload/model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

/// The trained tensors of a model without torch::nn, in the order of creation: float32, on the CPU,
/// drawn from LibTorch's default generator.
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

/// x W^T + b.
class LinearLayer {
 public:
  struct Shape {
    std::int64_t in, out;
    double deviation = 0.02;  ///< of the initial weights: that of BERT and GPT-2
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

  /// Runs in a module range with this name.
  at::Tensor operator()(const char* name, const at::Tensor& x) const;

 private:
  at::Tensor weight_, bias_;
  double epsilon_;
  ModelSettings::Operators operators_;
};

/// Which tokens of a sequence each token attends to.
struct AttentionShape {
  enum class Mask { none, causal };  ///< causal: itself and the tokens before it

  std::int64_t heads = 1;
  double dropout = 0;  ///< of the weights; 0 without training
  Mask mask = Mask::none;
  ModelSettings::Operators operators = ModelSettings::Operators::fused;
};

/// [S, S] bool, true where a token must not attend: for composed attention with Mask::causal.
at::Tensor tokens_after(std::int64_t sequence_length);

/// Scaled dot-product attention: softmax(q k^T / sqrt(D)) v of each head.
/// q, k, v [N, S, H] -> [N, S, H], D = H / heads. Fused it is one operator, whose backend the knob
/// sdpa chooses; composed, even the softmax is made of single operators. `after` is
/// tokens_after(S), and is only read when it is needed.
at::Tensor attend(const at::Tensor& query,
                  const at::Tensor& key,
                  const at::Tensor& value,
                  const AttentionShape& shape,
                  const at::Tensor& after);

/// The numbers of a token model, from the workload's params and the catalogue.
struct TokenShape {
  std::int64_t layers, hidden, heads, vocabulary, sequence_length;
  double dropout, attention_dropout;  ///< 0 without training
  bool is_trained;
  ModelSettings settings;

  AttentionShape attention(AttentionShape::Mask mask) const;
};

/// Needs a workload that has been checked (all_workloads.h).
TokenShape token_shape(const trial::Workload& workload, const ModelSettings& settings);

/// The common part of BERT and GPT-2: weights without torch::nn, and a sequence of blocks.
class TokenModel : public Model {
 public:
  std::vector<at::Tensor> parameters() const override { return weights_.all(); }
  std::vector<at::Tensor> buffers() const override { return buffers_; }

 protected:
  explicit TokenModel(const TokenShape& shape);

  const TokenShape& shape() const { return shape_; }
  Weights& weights() { return weights_; }

  /// [S] int64: 0 ... S-1, the positions of the tokens in a sequence.
  const at::Tensor& places() const { return buffers_.front(); }

  /// tokens_after(S) if composed attention needs it, else undefined.
  const at::Tensor& after() const { return after_; }
  void keep_tokens_after();

  /// Dropout of embeddings and of residual branches; returns the same tensor without dropout.
  at::Tensor drop(const at::Tensor& x) const;

  /// Runs x through block number `number`, in its own module range. Keeps no intermediate results
  /// if the settings say so.
  at::Tensor run_block(std::int64_t number, const Block& block, const at::Tensor& x) const;

 private:
  TokenShape shape_;
  Weights weights_;
  std::vector<at::Tensor> buffers_;
  at::Tensor after_;
  std::vector<std::string> names_;  // of the blocks
};

}  // namespace tune::worker
