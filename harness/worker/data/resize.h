#pragma once

#include "worker/data/grow_buffer.h"
#include "worker/data/jpeg_decoder.h"

#include <cstdint>

namespace tune::worker {

/// Resizes to size.width x size.height by ATen's antialiased bilinear filter on bytes, which
/// follows Pillow's and torchvision's. `out` holds interleaved RGB rows without gaps.
void resize_pixels(const Pixels& in, FrameSize size, std::uint8_t* out);

/// Mirrors interleaved RGB rows, left to right; `row` is room for one.
void flip_rows(std::uint8_t* pixels, FrameSize size, GrowBuffer& row);

}  // namespace tune::worker
