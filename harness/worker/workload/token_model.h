#pragma once

#include "worker/knob/knob_effect.h"
#include "worker/workload/checkpoint.h"
#include "worker/workload/model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
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

/// How tokens of a sequence look at one another.
struct AttentionShape {
  enum class Sight { all, before };  ///< before: itself and what came before it

  std::int64_t heads = 1;
  double dropout = 0;  ///< of the weights; 0 where nothing is trained
  Sight sight = Sight::all;
  ModelSettings::Operators operators = ModelSettings::Operators::fused;
};

/// [S, S] bool, true where a token must not look: for composed attention with Sight::before.
at::Tensor tokens_after(std::int64_t sequence_length);

/// Scaled dot-product attention: softmax(q k^T / sqrt(D)) v of each head.
/// q, k, v [N, S, H] -> [N, S, H], D = H / heads. Fused it is one operator, whose back end the knob
/// sdpa chooses; composed the softmax, too, is made of single operators. `after` is
/// tokens_after(S), and is not looked at unless it is needed.
at::Tensor attend(const at::Tensor& query,
                  const at::Tensor& key,
                  const at::Tensor& value,
                  const AttentionShape& shape,
                  const at::Tensor& after);

/// The numbers of a model of tokens, from the workload's params and the catalogue.
struct TokenShape {
  std::int64_t layers, hidden, heads, vocabulary, sequence_length;
  double dropout, attention_dropout;  ///< 0 where nothing is trained
  bool is_trained;
  ModelSettings settings;

  AttentionShape attention(AttentionShape::Sight sight) const;
};

/// Of a workload that has been checked (all_workloads.h).
TokenShape token_shape(const trial::Workload& workload, const ModelSettings& settings);

/// What BERT and GPT-2 have in common: weights without torch::nn, and blocks one after the other.
class TokenModel : public Model {
 public:
  std::vector<at::Tensor> parameters() const override { return weights_.all(); }
  std::vector<at::Tensor> buffers() const override { return buffers_; }

 protected:
  explicit TokenModel(const TokenShape& shape);

  const TokenShape& shape() const { return shape_; }
  Weights& weights() { return weights_; }

  /// [S] int64: 0 ... S-1, the places of the tokens in a sequence.
  const at::Tensor& places() const { return buffers_.front(); }

  /// tokens_after(S) where composed attention needs it, else undefined.
  const at::Tensor& after() const { return after_; }
  void keep_tokens_after();

  /// Dropout of embeddings and of what layers add; the same tensor where there is none.
  at::Tensor drop(const at::Tensor& x) const;

  /// Runs x through block number `number`, in a module range of its own. Its intermediate results
  /// are not kept where the settings say so.
  at::Tensor run_block(std::int64_t number, const Block& block, const at::Tensor& x) const;

 private:
  TokenShape shape_;
  Weights weights_;
  std::vector<at::Tensor> buffers_;
  at::Tensor after_;
  std::vector<std::string> names_;  // of the blocks
};

}  // namespace tune::worker
