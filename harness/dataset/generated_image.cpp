#include "dataset/generated_image.h"

#include "dataset/encode.h"
#include "dataset/picture.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tune::dataset {

namespace {

constexpr int kMostEncodes = 5;
constexpr std::int64_t kTolerance = 40;  // 1/40 of the wanted size is near enough

Format format_of(Fault fault) {
  switch (fault) {
    case Fault::cmyk:
      return Format::cmyk;
    case Fault::grey:
      return Format::grey;
    case Fault::progressive:
      return Format::progressive;
    case Fault::exif_rotated:
      return Format::exif_rotated;
    default:
      return Format::baseline;
  }
}

/// Grain that gives so many bytes per pixel at quality 90, measured; the search begins here.
std::int64_t usual_strength(std::int64_t bytes_per_kilopixel) {
  struct Point {
    std::int64_t bytes, strength;
  };
  constexpr std::array kPoints = {Point{70, 16},
                                  Point{85, 100},
                                  Point{111, 200},
                                  Point{164, 400},
                                  Point{269, 800},
                                  Point{392, 1600},
                                  Point{515, 3200},
                                  Point{714, 8200},
                                  Point{925, 16400},
                                  Point{1200, 32767}};
  for (std::size_t i = 1; i < kPoints.size(); ++i) {
    const Point& low = kPoints.at(i - 1);
    const Point& high = kPoints.at(i);
    if (bytes_per_kilopixel < high.bytes) {
      const std::int64_t above = std::max<std::int64_t>(bytes_per_kilopixel - low.bytes, 0);
      return low.strength + (high.strength - low.strength) * above / (high.bytes - low.bytes);
    }
  }
  return kPoints.back().strength;
}

/// The file grows with the strength of the grain: secant steps towards the wanted size.
class SizeSearch {
 public:
  explicit SizeSearch(const ImagePlan& plan)
      : plan_(plan),
        // The quantiser's steps, and with them the grain that fills them, shrink with quality.
        strength_(
            bounded(usual_strength(density(plan_.target_bytes)) * (100 - plan.quality) / 10)) {}

  int strength() const { return strength_; }

  /// Takes the size that strength() gave; false when it is near enough or nothing better is to be
  /// had.
  bool go_on(std::int64_t size) {
    if (std::abs(size - plan_.target_bytes) * kTolerance <= plan_.target_bytes) {
      return false;
    }
    if (size < plan_.target_bytes) {
      low_ = std::max(low_, strength_);
    } else {
      high_ = std::min(high_, strength_);
    }
    const std::int64_t next = next_strength(size);
    last_strength_ = strength_;
    last_size_ = size;
    strength_ = static_cast<int>(std::clamp<std::int64_t>(next, low_, high_));
    return strength_ != last_strength_;
  }

 private:
  std::int64_t next_strength(std::int64_t size) const {
    if (last_size_ == 0 || size == last_size_) {
      return strength_ * usual_strength(density(plan_.target_bytes)) /
             usual_strength(density(size));
    }
    const std::int64_t step =
        (plan_.target_bytes - size) * (strength_ - last_strength_) / (size - last_size_);
    return std::clamp<std::int64_t>(strength_ + step, strength_ / 4, strength_ * 4 + 64);
  }

  std::int64_t density(std::int64_t size) const { return bytes_per_kilopixel(plan_, size); }

  static int bounded(std::int64_t strength) {
    return static_cast<int>(std::clamp<std::int64_t>(strength, 1, kStrongestGrain));
  }

  const ImagePlan& plan_;
  int strength_;
  int low_ = 0, high_ = kStrongestGrain;  // brackets of the answer
  int last_strength_ = 0;
  std::int64_t last_size_ = 0;
};

}  // namespace

GeneratedImage generate_image(const GeneratedSpec& spec, std::int64_t index) {
  GeneratedImage image;
  image.plan = plan_image(spec, index);
  const Picture picture = draw_picture(image.plan);
  const std::vector<std::int16_t> grain = draw_grain(image.plan, picture.y);
  const Format format = format_of(image.plan.fault);
  Plane grainy;
  SizeSearch search(image.plan);
  const auto miss = [&image](const std::string& jpeg) {
    return std::abs(static_cast<std::int64_t>(jpeg.size()) - image.plan.target_bytes);
  };
  bool goes_on = true;
  while (goes_on) {
    add_grain(picture.y, grain, search.strength(), grainy);
    std::string jpeg = encode_jpeg(picture, grainy, image.plan.quality, format);
    ++image.encodes;
    goes_on = search.go_on(static_cast<std::int64_t>(jpeg.size())) && image.encodes < kMostEncodes;
    if (image.bytes.empty() || miss(jpeg) < miss(image.bytes)) {
      image.bytes = std::move(jpeg);
    }
  }
  image.bytes = damage(std::move(image.bytes), image.plan.fault, image.plan.key);
  return image;
}

}  // namespace tune::dataset
