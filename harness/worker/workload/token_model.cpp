#include "worker/workload/token_model.h"

#include "trial/workload_catalog.h"
#include "worker/recorder/range.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/div.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/triu.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace tune::worker {

at::Tensor Weights::normal(at::IntArrayRef sizes, double deviation) {
  return keep(at::empty(sizes, at::kFloat).normal_(0, deviation));
}

at::Tensor Weights::ones(std::int64_t size) {
  return keep(at::empty({size}, at::kFloat).fill_(1));
}

at::Tensor Weights::zeros(std::int64_t size) {
  return keep(at::empty({size}, at::kFloat).fill_(0));
}

at::Tensor Weights::keep(at::Tensor weight) {
  weight.requires_grad_(true);
  all_.push_back(weight);
  return weight;
}

namespace {

// As the first code for BERT did, before every framework had an operator for it.
at::Tensor composed_norm(const at::Tensor& x,
                         const at::Tensor& weight,
                         const at::Tensor& bias,
                         double epsilon) {
  const at::Tensor centered = at::sub(x, x.mean({-1}, /*keepdim=*/true));
  const at::Tensor variance = at::pow(centered, 2).mean({-1}, /*keepdim=*/true);
  const at::Tensor normal = at::mul(centered, at::rsqrt(at::add(variance, epsilon)));
  return at::add(at::mul(normal, weight), bias);
}

}  // namespace

LinearLayer::LinearLayer(Weights& weights, const Shape& shape)
    : weight_(weights.normal({shape.out, shape.in}, shape.deviation)),
      bias_(weights.zeros(shape.out)) {}

at::Tensor LinearLayer::operator()(const char* name, const at::Tensor& x) const {
  const ModuleRange range(name);
  return at::linear(x, weight_, bias_);
}

NormLayer::NormLayer(Weights& weights, const Shape& shape, ModelSettings::Operators operators)
    : weight_(weights.ones(shape.size)),
      bias_(weights.zeros(shape.size)),
      epsilon_(shape.epsilon),
      operators_(operators) {}

at::Tensor NormLayer::operator()(const char* name, const at::Tensor& x) const {
  const ModuleRange range(name);
  return operators_ == ModelSettings::Operators::fused
             ? at::layer_norm(x, {x.size(-1)}, weight_, bias_, epsilon_)
             : composed_norm(x, weight_, bias_, epsilon_);
}

namespace {

// [N, S, H] -> [N, heads, S, D], a view.
at::Tensor split_heads(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor join_heads(const at::Tensor& x) {
  return x.transpose(1, 2).contiguous().view({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

at::Tensor largest_in_rows(const at::Tensor& scores) {
  const at::NoGradGuard
      no_grad;  // subtracting a constant from every score of a row changes nothing
  return at::amax(scores, {-1}, /*keepdim=*/true);
}

at::Tensor composed_softmax(const at::Tensor& scores) {
  const at::Tensor powers = at::exp(at::sub(scores, largest_in_rows(scores)));
  return at::div(powers, powers.sum({-1}, /*keepdim=*/true));
}

at::Tensor composed(const at::Tensor& query,
                    const at::Tensor& key,
                    const at::Tensor& value,
                    const AttentionShape& shape,
                    const at::Tensor& after) {
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(-1)));
  at::Tensor scores = at::mul(at::matmul(query, key.transpose(-2, -1)), scale);
  if (shape.mask == AttentionShape::Mask::causal) {
    scores = at::masked_fill(scores, after, -std::numeric_limits<double>::infinity());
  }
  at::Tensor weights = composed_softmax(scores);
  if (shape.dropout > 0) {
    weights = at::dropout(weights, shape.dropout, /*train=*/true);
  }
  return at::matmul(weights, value);
}

}  // namespace

at::Tensor tokens_after(std::int64_t sequence_length) {
  return at::triu(at::ones({sequence_length, sequence_length}, at::kBool), /*diagonal=*/1);
}

at::Tensor attend(const at::Tensor& query,
                  const at::Tensor& key,
                  const at::Tensor& value,
                  const AttentionShape& shape,
                  const at::Tensor& after) {
  const at::Tensor q = split_heads(query, shape.heads);
  const at::Tensor k = split_heads(key, shape.heads);
  const at::Tensor v = split_heads(value, shape.heads);
  if (shape.operators == ModelSettings::Operators::composed) {
    return join_heads(composed(q, k, v, shape, after));
  }
  return join_heads(at::scaled_dot_product_attention(
      q, k, v, {}, shape.dropout, shape.mask == AttentionShape::Mask::causal));
}

AttentionShape TokenShape::attention(AttentionShape::Mask mask) const {
  return {
      .heads = heads, .dropout = attention_dropout, .mask = mask, .operators = settings.operators};
}

TokenShape token_shape(const trial::Workload& workload, const ModelSettings& settings) {
  const bool is_trained = workload.task == "train";
  return {.layers = trial::whole_param(workload, "layers"),
          .hidden = trial::whole_param(workload, "hidden"),
          .heads = trial::whole_param(workload, "heads"),
          .vocabulary = trial::whole_param(workload, "vocabulary"),
          .sequence_length = trial::whole_param(workload, "sequence_length"),
          .dropout = is_trained ? trial::real_param(workload, "dropout") : 0,
          .attention_dropout = is_trained ? trial::real_param(workload, "attention_dropout") : 0,
          .is_trained = is_trained,
          .settings = settings};
}

TokenModel::TokenModel(const TokenShape& shape) : shape_(shape) {
  buffers_.push_back(at::arange(shape.sequence_length, at::kLong));
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    names_.push_back("block" + std::to_string(i));
  }
}

void TokenModel::keep_tokens_after() {
  if (shape_.settings.operators == ModelSettings::Operators::composed) {
    after_ = tokens_after(shape_.sequence_length);
    buffers_.push_back(after_);
  }
}

at::Tensor TokenModel::drop(const at::Tensor& x) const {
  return shape_.dropout > 0 ? at::dropout(x, shape_.dropout, /*train=*/true) : x;
}

at::Tensor TokenModel::run_block(std::int64_t number,
                                 const Block& block,
                                 const at::Tensor& x) const {
  // Owns its part of the block, because it outlives this call when it is recomputed.
  const Block named = [this, number, block](const at::Tensor& input) {
    const ModuleRange range(names_[static_cast<std::size_t>(number)]);
    return block(input);
  };
  const bool is_recomputed =
      shape_.is_trained && shape_.settings.activations == ModelSettings::Activations::recomputed;
  return is_recomputed ? checkpoint(named, x) : named(x);
}

}  // namespace tune::worker
