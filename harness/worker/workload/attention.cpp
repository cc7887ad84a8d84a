#include "worker/workload/attention.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/div.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/triu.h>

#include <cmath>
#include <limits>

namespace tune::worker {

namespace {

// [N, S, H] -> [N, heads, S, D], a view.
at::Tensor split_heads(const at::Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor join_heads(const at::Tensor& x) {
  return x.transpose(1, 2).contiguous().view({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

at::Tensor largest_in_rows(const at::Tensor& scores) {
  const at::NoGradGuard no_grad;  // what is taken off every score of a row changes nothing
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
  if (shape.sight == AttentionShape::Sight::before) {
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
      q, k, v, {}, shape.dropout, shape.sight == AttentionShape::Sight::before));
}

}  // namespace tune::worker
