#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

namespace tune::worker {

/// A part of a model. Everything that it refers to must live until the backward pass is done.
using Block = std::function<at::Tensor(const at::Tensor& input)>;

/// block(input) that saves only the input for the backward pass: that pass computes the block a
/// second time, with the same random numbers and autocast, in a range called "recompute", and runs
/// backward through it at once. Like torch.utils.checkpoint(use_reentrant), which LibTorch for C++
/// does not have.
///
/// Gradients are those of block(input), also for parameters of the block. While autograd records,
/// the input must require a gradient, else nothing would run backward through the block.
at::Tensor checkpoint(const Block& block, const at::Tensor& input);

/// Whether the calling thread computes a block a second time. A block must not update other state
/// (running statistics) then.
bool is_recomputing();

}  // namespace tune::worker
