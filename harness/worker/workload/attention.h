#pragma once

#include "worker/workload/model_settings.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tune::worker {

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

}  // namespace tune::worker
