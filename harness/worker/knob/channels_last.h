#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace tune::worker {

/// Gives every 4-D parameter NHWC strides, as `model.to(memory_format=torch.channels_last)` does.
/// Call it before an optimizer has created state for them.
void lay_out_channels_last(const std::vector<at::Tensor>& parameters);

}  // namespace tune::worker
