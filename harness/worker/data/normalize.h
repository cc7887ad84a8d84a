#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace tune::worker {

/// (x / 255 - mean) / deviation with ImageNet's mean and deviation of each channel, of interleaved
/// RGB pixels. Runs only on the calling thread.
void normalize_pixels(const std::uint8_t* in, std::int64_t pixels, float* out);

/// The factor and offset of normalize_pixels for each channel: [1, 3, 1, 1] float32.
at::Tensor pixel_scale();
at::Tensor pixel_offset();

/// The same for a batch [N, 3, H, W] of bytes with channels-last strides, in one pass by all
/// intra-op threads. `out` has the same sizes, dtype float32 or bfloat16, and is channels-last or
/// contiguous: the layout changes on the way.
void normalize_into(const at::Tensor& images, at::Tensor& out);

}  // namespace tune::worker
