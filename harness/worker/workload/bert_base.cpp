#include "trial/workload_catalog.h"
#include "worker/recorder/range.h"
#include "worker/workload/token_model.h"

#include <ATen/ops/add.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tune::worker {

std::unique_ptr<Model> make_bert_base(const trial::Workload& workload,
                                      const ModelSettings& settings);

namespace {

// Devlin, Chang, Lee, Toutanova: BERT (2019), the encoder with its masked-token head, as
// transformers' BertForMaskedLM: without pooler, the decoder of the head tied to the embeddings.

constexpr double kEpsilon = 1e-12;
constexpr double kDeviation = 0.02;
constexpr std::int64_t kPlaces = 512, kSegments = 2;

class Encoder {
 public:
  Encoder(Weights& weights, const TokenShape& shape, std::int64_t intermediate)
      : query_(weights, {shape.hidden, shape.hidden}),
        key_(weights, {shape.hidden, shape.hidden}),
        value_(weights, {shape.hidden, shape.hidden}),
        attention_output_(weights, {shape.hidden, shape.hidden}),
        attention_norm_(weights, {shape.hidden, kEpsilon}, shape.settings.operators),
        intermediate_(weights, {shape.hidden, intermediate}),
        output_(weights, {intermediate, shape.hidden}),
        norm_(weights, {shape.hidden, kEpsilon}, shape.settings.operators),
        attention_(shape.attention(AttentionShape::Mask::none)) {}

  // Output of the layer's attention, before dropout.
  at::Tensor attention(const at::Tensor& x) const {
    const ModuleRange range("attention");
    const at::Tensor mixed =
        attend(query_("query", x), key_("key", x), value_("value", x), attention_, {});
    return attention_output_("output", mixed);
  }
  at::Tensor norm_attention(const at::Tensor& x) const {
    return attention_norm_("attention_norm", x);
  }

  at::Tensor feed_forward(const at::Tensor& x) const {
    return output_("output", at::gelu(intermediate_("intermediate", x)));
  }
  at::Tensor norm(const at::Tensor& x) const { return norm_("norm", x); }

 private:
  LinearLayer query_, key_, value_, attention_output_;
  NormLayer attention_norm_;
  LinearLayer intermediate_, output_;
  NormLayer norm_;
  AttentionShape attention_;
};

class BertBase final : public TokenModel {
 public:
  BertBase(const TokenShape& shape, std::int64_t intermediate)
      : TokenModel(shape),
        words_(weights().normal({shape.vocabulary, shape.hidden}, kDeviation)),
        places_(weights().normal({kPlaces, shape.hidden}, kDeviation)),
        segments_(weights().normal({kSegments, shape.hidden}, kDeviation)),
        norm_(weights(), {shape.hidden, kEpsilon}, shape.settings.operators),
        head_(weights(), {shape.hidden, shape.hidden}),
        head_norm_(weights(), {shape.hidden, kEpsilon}, shape.settings.operators),
        head_bias_(weights().zeros(shape.vocabulary)) {
    encoders_.reserve(static_cast<std::size_t>(shape.layers));
    for (std::int64_t i = 0; i < shape.layers; ++i) {
      encoders_.emplace_back(weights(), shape, intermediate);
    }
  }

  // [N, S] int64 -> [N, S, vocabulary].
  at::Tensor forward(const at::Tensor& tokens) override {
    at::Tensor x = embed(tokens);
    for (std::size_t i = 0; i < encoders_.size(); ++i) {
      const auto block = [this, i](const at::Tensor& input) { return encode(encoders_[i], input); };
      x = run_block(static_cast<std::int64_t>(i), block, x);
    }
    const ModuleRange range("head");
    const at::Tensor seen = head_norm_("norm", at::gelu(head_("dense", x)));
    return at::linear(seen, words_, head_bias_);
  }

 private:
  // All tokens belong to the first segment.
  at::Tensor embed(const at::Tensor& tokens) const {
    const ModuleRange range("embeddings");
    const at::Tensor sum = at::add(
        at::add(at::embedding(words_, tokens), at::embedding(segments_, at::zeros_like(tokens))),
        at::embedding(places_, places()));
    return drop(norm_("norm", sum));
  }

  at::Tensor encode(const Encoder& encoder, const at::Tensor& x) const {
    const at::Tensor attended = encoder.norm_attention(at::add(drop(encoder.attention(x)), x));
    return encoder.norm(at::add(drop(encoder.feed_forward(attended)), attended));
  }

  at::Tensor words_, places_, segments_;
  NormLayer norm_;
  LinearLayer head_;
  NormLayer head_norm_;
  at::Tensor head_bias_;
  std::vector<Encoder> encoders_;
};

}  // namespace

std::unique_ptr<Model> make_bert_base(const trial::Workload& workload,
                                      const ModelSettings& settings) {
  return std::make_unique<BertBase>(token_shape(workload, settings),
                                    trial::whole_param(workload, "intermediate"));
}

}  // namespace tune::worker
