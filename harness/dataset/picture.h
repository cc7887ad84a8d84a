#pragma once

#include "dataset/generated_spec.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::dataset {

/// One channel, with the margin on the right and below that whole JPEG blocks need.
struct Plane {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Plane() = default;
  Plane(int w, int h)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  std::uint8_t* row(int y) {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
  const std::uint8_t* row(int y) const {
    return pixels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

/// YCbCr as JPEG stores it; the chroma planes have half the sides for 4:2:0.
struct Picture {
  int width = 0, height = 0;  ///< the visible part of the planes
  Subsampling subsampling = Subsampling::both_420;
  Plane y, cb, cr;
};

/// Draws noise and shapes whose hue and form depend on the class; without grain.
Picture draw_picture(const ImagePlan& plan);

/// Independent noise for every pixel of `y`, about normal, in [-1020, 1020].
std::vector<std::int16_t> draw_grain(const ImagePlan& plan, const Plane& y);

/// Strongest grain that add_grain() takes.
constexpr int kStrongestGrain = 32767;

/// `y` plus grain times strength / 65536, into `result` of the same size.
void add_grain(const Plane& y, const std::vector<std::int16_t>& grain, int strength, Plane& result);

}  // namespace tune::dataset
