#include "worker/data/crop.h"

#include <cmath>

namespace tune::worker {

namespace {

constexpr double kMinScale = 0.08, kMaxScale = 1.0;
constexpr double kMinRatio = 3.0 / 4.0, kMaxRatio = 4.0 / 3.0;
constexpr double kLogMaxRatio = 0.28768207245178092744;  // ln(4/3) = -ln(3/4)
constexpr int kTries = 10;

// e^x for |x| <= ln(4/3), by its series: only sums and products, so that crops do not depend on the
// machine's libm. The first omitted term is below 1e-19.
double exponential(double x) {
  double sum = 1;
  for (int n = 14; n >= 1; --n) {
    sum = 1 + sum * x / n;
  }
  return sum;
}

// Rounds halves to even, as Python does.
std::int64_t round_to_even(double x) {
  return static_cast<std::int64_t>(std::nearbyint(x));
}

Crop centered(FrameSize frame, std::int64_t width, std::int64_t height) {
  return {(frame.width - width) / 2, (frame.height - height) / 2, width, height};
}

// The fallback when ten draws did not fit: the middle, as near to the allowed ratios as possible.
Crop fallback_crop(FrameSize frame) {
  const double ratio = static_cast<double>(frame.width) / static_cast<double>(frame.height);
  if (ratio < kMinRatio) {
    return centered(
        frame, frame.width, round_to_even(static_cast<double>(frame.width) / kMinRatio));
  }
  if (ratio > kMaxRatio) {
    return centered(
        frame, round_to_even(static_cast<double>(frame.height) * kMaxRatio), frame.height);
  }
  return {0, 0, frame.width, frame.height};
}

}  // namespace

Crop random_resized_crop(FrameSize frame, RandomStream& random) {
  const double area = static_cast<double>(frame.width) * static_cast<double>(frame.height);
  for (int i = 0; i < kTries; ++i) {
    const double target_area = area * random.uniform(kMinScale, kMaxScale);
    const double ratio = exponential(random.uniform(-kLogMaxRatio, kLogMaxRatio));
    const std::int64_t width = round_to_even(std::sqrt(target_area * ratio));
    const std::int64_t height = round_to_even(std::sqrt(target_area / ratio));
    if (width > 0 && width <= frame.width && height > 0 && height <= frame.height) {
      const std::int64_t y = random.below(frame.height - height + 1);
      const std::int64_t x = random.below(frame.width - width + 1);
      return {x, y, width, height};
    }
  }
  return fallback_crop(frame);
}

Augmentation draw_augmentation(FrameSize frame,
                               std::uint64_t seed,
                               std::int64_t epoch,
                               std::int64_t sample) {
  RandomStream random(RandomStream::Purpose::crop,
                      seed,
                      static_cast<std::uint64_t>(epoch),
                      static_cast<std::uint64_t>(sample));
  Augmentation augmentation;
  augmentation.is_flipped = random.uniform() < 0.5;
  augmentation.crop = random_resized_crop(frame, random);
  return augmentation;
}

FrameSize resized_by_shorter_side(FrameSize frame, std::int64_t shorter_side) {
  return frame.width <= frame.height
             ? FrameSize{shorter_side, shorter_side * frame.height / frame.width}
             : FrameSize{shorter_side * frame.width / frame.height, shorter_side};
}

Crop center_crop(FrameSize frame, std::int64_t size) {
  return {round_to_even(static_cast<double>(frame.width - size) / 2),
          round_to_even(static_cast<double>(frame.height - size) / 2),
          size,
          size};
}

}  // namespace tune::worker
