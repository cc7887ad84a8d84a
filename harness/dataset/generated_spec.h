#pragma once

#include "dataset/fault.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tune::dataset {

/// Which images are made. The same spec gives the same bytes on every machine with the same
/// version of libjpeg-turbo.
struct GeneratedSpec {
  std::string profile = "imagenet";  ///< a name of profiles()
  std::int64_t samples = 2000;
  std::int64_t classes = 1000;  ///< sample i has label i mod classes
  std::uint64_t seed = 0;
  bool operator==(const GeneratedSpec&) const = default;
};

/// A profile in one line, for `tune data` and error messages.
struct Profile {
  std::string name, content;
  std::int64_t mean_bytes;  ///< of a file, for estimating disk space
};

const std::vector<Profile>& profiles();

constexpr std::int64_t kMostSamples = 10'000'000;
constexpr std::int64_t kMostClasses = 100'000;

/// Throws tune::Error naming `where` when the profile is unknown or a number is out of range.
void check_spec(const GeneratedSpec& spec, const std::string& where);

/// Bytes on disk, roughly.
std::int64_t estimated_bytes(const GeneratedSpec& spec);

/// Changes whenever the same spec would give other bytes; part of the manifest.
constexpr int kGeneratorVersion = 1;

/// "2.1.5": of the libjpeg-turbo that this program was built with.
std::string jpeg_version();

/// "imagenet-2000-1000c-seed0-jpeg2.1.5"; the name of the set's folder in the cache.
std::string set_name(const GeneratedSpec& spec);

/// "class-0007": its position in the sorted folders is the label.
std::string class_name(const GeneratedSpec& spec, std::int64_t label);

/// "class-0007/001007.jpg": the path of sample `index` in the set's folder.
std::string image_path(const GeneratedSpec& spec, std::int64_t index);

enum class Subsampling { none_444, both_420 };

/// Everything decided about a sample before a pixel is drawn.
struct ImagePlan {
  int width = 0, height = 0;  ///< pixels
  int quality = 90;
  Subsampling subsampling = Subsampling::both_420;
  /// The grain is chosen so that the file gets this size; more than about 1.2 bytes per pixel
  /// cannot be reached.
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
