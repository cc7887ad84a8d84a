#include "worker/recorder/range.h"
#include "worker/workload/token_model.h"

#include <ATen/ops/add.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace tune::worker {

std::unique_ptr<Model> make_gpt_small(const trial::Workload& workload,
                                      const ModelSettings& settings);

namespace {

// Radford et al.: Language models are unsupervised multitask learners (2019), its smallest model as
// in transformers' GPT2LMHeadModel: norms come first, the head is tied to the embeddings.

constexpr double kEpsilon = 1e-5;
constexpr double kDeviation = 0.02;
constexpr std::int64_t kPlaces = 1024;

// "We scale the weights of residual layers at initialization by a factor of 1/sqrt(N)", of which
// each layer has two.
double residual_deviation(const TokenShape& shape) {
  return kDeviation / std::sqrt(2 * static_cast<double>(shape.layers));
}

class Decoder {
 public:
  Decoder(Weights& weights, const TokenShape& shape)
      : attention_norm_(weights, {shape.hidden, kEpsilon}, shape.settings.operators),
        query_key_value_(weights, {shape.hidden, 3 * shape.hidden}),
        attention_output_(weights, {shape.hidden, shape.hidden, residual_deviation(shape)}),
        norm_(weights, {shape.hidden, kEpsilon}, shape.settings.operators),
        intermediate_(weights, {shape.hidden, 4 * shape.hidden}),
        output_(weights, {4 * shape.hidden, shape.hidden, residual_deviation(shape)}),
        attention_(shape.attention(AttentionShape::Mask::causal)) {}

  // Output of the layer's attention, before dropout.
  at::Tensor attention(const at::Tensor& x, const at::Tensor& after) const {
    const at::Tensor normal = attention_norm_("attention_norm", x);
    const ModuleRange range("attention");
    const std::vector<at::Tensor> parts = query_key_value_("query_key_value", normal).chunk(3, -1);
    return attention_output_("output", attend(parts[0], parts[1], parts[2], attention_, after));
  }

  // Output of the layer's feed-forward part, before dropout.
  at::Tensor feed_forward(const at::Tensor& x) const {
    return output_("output", at::gelu(intermediate_("intermediate", norm_("norm", x)), "tanh"));
  }

 private:
  NormLayer attention_norm_;
  LinearLayer query_key_value_, attention_output_;
  NormLayer norm_;
  LinearLayer intermediate_, output_;
  AttentionShape attention_;
};

class GptSmall final : public TokenModel {
 public:
  explicit GptSmall(const TokenShape& shape)
      : TokenModel(shape),
        words_(weights().normal({shape.vocabulary, shape.hidden}, kDeviation)),
        places_(weights().normal({kPlaces, shape.hidden}, kDeviation)),
        norm_(weights(), {shape.hidden, kEpsilon}, shape.settings.operators) {
    keep_tokens_after();
    decoders_.reserve(static_cast<std::size_t>(shape.layers));
    for (std::int64_t i = 0; i < shape.layers; ++i) {
      decoders_.emplace_back(weights(), shape);
    }
  }

  // [N, S] int64 -> [N, S, vocabulary].
  at::Tensor forward(const at::Tensor& tokens) override {
    at::Tensor x = embed(tokens);
    for (std::size_t i = 0; i < decoders_.size(); ++i) {
      const auto block = [this, i](const at::Tensor& input) { return decode(decoders_[i], input); };
      x = run_block(static_cast<std::int64_t>(i), block, x);
    }
    const at::Tensor seen = norm_("norm", x);
    const ModuleRange range("head");
    return at::linear(seen, words_);
  }

 private:
  at::Tensor embed(const at::Tensor& tokens) const {
    const ModuleRange range("embeddings");
    return drop(at::add(at::embedding(words_, tokens), at::embedding(places_, places())));
  }

  at::Tensor decode(const Decoder& decoder, const at::Tensor& x) const {
    const at::Tensor attended = at::add(x, drop(decoder.attention(x, after())));
    return at::add(attended, drop(decoder.feed_forward(attended)));
  }

  at::Tensor words_, places_;
  NormLayer norm_;
  std::vector<Decoder> decoders_;
};

}  // namespace

std::unique_ptr<Model> make_gpt_small(const trial::Workload& workload,
                                      const ModelSettings& settings) {
  return std::make_unique<GptSmall>(token_shape(workload, settings));
}

}  // namespace tune::worker
