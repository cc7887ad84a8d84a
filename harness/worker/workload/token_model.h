#pragma once

#include "worker/workload/attention.h"
#include "worker/workload/checkpoint.h"
#include "worker/workload/model.h"
#include "worker/workload/model_settings.h"
#include "worker/workload/weights.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::worker {

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
