#pragma once

#include "worker/data/random_stream.h"

#include <cstdint>

namespace tune::worker {

struct FrameSize {
  std::int64_t width = 0, height = 0;
  bool operator==(const FrameSize&) const = default;
};

/// A rectangle of pixels of a frame.
struct Crop {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Crop&) const = default;
};

/// torchvision's RandomResizedCrop with its default scale (0.08 to 1 of the area) and ratio (3/4 to
/// 4/3): the rectangle of the frame that is resized to the square.
Crop random_resized_crop(FrameSize frame, RandomStream& random);

/// The augmentation of one sample in one epoch of training.
struct Augmentation {
  bool is_flipped = false;  ///< left to right, after resizing
  Crop crop;
};

/// Depends only on its arguments: equal for every number of workers and every order.
Augmentation draw_augmentation(FrameSize frame,
                               std::uint64_t seed,
                               std::int64_t epoch,
                               std::int64_t sample);

/// The size after torchvision's Resize(shorter_side): the longer side is rounded down.
FrameSize resized_by_shorter_side(FrameSize frame, std::int64_t shorter_side);

/// torchvision's CenterCrop of a frame that is at least `size` in both directions.
Crop center_crop(FrameSize frame, std::int64_t size);

}  // namespace tune::worker
