#pragma once

#include "dataset/fault.h"
#include "dataset/generated_spec.h"

#include <cstdint>

namespace tune::dataset {

enum class Subsampling { none_444, both_420 };

/// What is decided about a sample before a pixel is drawn.
struct ImagePlan {
  int width = 0, height = 0;  ///< pixels
  int quality = 90;
  Subsampling subsampling = Subsampling::both_420;
  /// The grain is chosen so that the file gets this size; beyond about 1.2 bytes per pixel it does
  /// not get there.
  std::int64_t target_bytes = 0;
  Fault fault = Fault::none;
  std::int64_t label = 0;
  std::uint64_t key = 0;  ///< for the picture's own draws
};

/// Depends on profile, seed, index and, through the label, on the number of classes.
ImagePlan plan_image(const GeneratedSpec& spec, std::int64_t index);

/// Density of the picture's own data in a file of this size.
std::int64_t bytes_per_kilopixel(const ImagePlan& plan, std::int64_t bytes);

}  // namespace tune::dataset
