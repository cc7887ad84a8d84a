#include "worker/data/resize.h"

#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <cstring>

namespace tune::worker {

namespace {

// Interleaved rows, seen as ATen's channels-last [1, 3, height, width]. ATen only reads the input.
at::Tensor as_image(const std::uint8_t* pixels, FrameSize size) {
  return at::from_blob(const_cast<std::uint8_t*>(pixels),
                       {1, 3, size.height, size.width},
                       {size.height * size.width * 3, 1, size.width * 3, 3},
                       at::TensorOptions().dtype(at::kByte));
}

}  // namespace

void resize_pixels(const Pixels& in, FrameSize size, std::uint8_t* out) {
  if (in.size == size) {
    std::memcpy(out, in.data, static_cast<std::size_t>(size.width * size.height * 3));
    return;
  }
  const c10::InferenceMode no_autograd;
  at::Tensor resized = as_image(out, size);
  at::_upsample_bilinear2d_aa_out(
      resized, as_image(in.data, in.size), {size.height, size.width}, false);
}

void flip_rows(std::uint8_t* pixels, FrameSize size, GrowBuffer& row) {
  const std::int64_t row_bytes = size.width * 3;
  std::uint8_t* const copy = row.at_least(static_cast<std::size_t>(row_bytes + 1));
  for (std::int64_t y = 0; y < size.height; ++y) {
    std::uint8_t* to = pixels + y * row_bytes;
    std::memcpy(copy, to, static_cast<std::size_t>(row_bytes));
    const std::uint8_t* from = copy + row_bytes - 3;
    // Four bytes are one move, three are two; the fourth is overwritten by the next pixel.
    for (std::int64_t x = 1; x < size.width; ++x, to += 3, from -= 3) {
      std::memcpy(to, from, 4);
    }
    std::memcpy(to, from, 3);
  }
}

}  // namespace tune::worker
