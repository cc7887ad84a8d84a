#pragma once

#include <ATen/core/Tensor.h>

namespace tune::worker {

/// Mean cross entropy, a number: of scores [N, classes] for labels [N], or of scores [N, S,
/// classes] for labels [N, S]. Places whose label is kNoLabel (data/token_samples.h) do not count;
/// at least one must.
at::Tensor loss_of(const at::Tensor& scores, const at::Tensor& labels);

}  // namespace tune::worker
