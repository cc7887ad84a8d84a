#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace tune::worker {

/// A part of a model. Owns, or outlives the backward pass with, all that it refers to.
using Block = std::function<at::Tensor(const at::Tensor& input)>;

/// block(input), of which nothing is kept for the backward pass but the input: that pass computes
/// the block a second time, from the same random numbers and under the same autocast, in a range
/// called "recompute", and goes back through it at once. As torch.utils.checkpoint(use_reentrant)
/// does; LibTorch for C++ has none.
///
/// Gradients are those of block(input), also of what the block refers to. While autograd records,
/// the input must need a gradient, or nothing would go back through the block.
at::Tensor checkpoint(const Block& block, const at::Tensor& input);

/// The calling thread computes a block a second time. What a block changes besides its result
/// (running statistics) it must leave alone then.
bool is_recomputing();

}  // namespace tune::worker
