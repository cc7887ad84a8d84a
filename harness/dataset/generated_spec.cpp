#include "dataset/generated_spec.h"

#include "base/did_you_mean.h"
#include "base/error.h"

#include <jpeglib.h>

#include <algorithm>
#include <cstdio>  // jpeglib.h needs it

namespace tune::dataset {

namespace {

constexpr std::int64_t kBlockBytes = 4096;  // a file takes whole blocks on disk

const Profile* find_profile(const std::string& name) {
  for (const Profile& profile : profiles()) {
    if (profile.name == name) {
      return &profile;
    }
  }
  return nullptr;
}

void check_range(std::int64_t value,
                 std::int64_t highest,
                 const std::string& what,
                 const std::string& where) {
  if (value < 1 || value > highest) {
    throw Error({where,
                 what + " is " + std::to_string(value),
                 "must be 1 to " + std::to_string(highest),
                 ""});
  }
}

/// With leading zeros, wide enough for all numbers below `count`: sorting by name sorts by number.
std::string padded(std::int64_t number, std::int64_t count, std::size_t least_width) {
  const std::size_t width = std::max(std::to_string(count - 1).size(), least_width);
  const std::string digits = std::to_string(number);
  return std::string(width - digits.size(), '0') + digits;
}

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = {
      {"imagenet", "photo sizes and bytes per pixel like ImageNet's, mean 105 KB", 106'000},
      {"tiny", "32x32 pixels of 1.2 KB: the cost of an item", 1'200},
      {"faults", "small photos; every 64 hold 13 that are broken or unusual", 17'000},
  };
  return all;
}

void check_spec(const GeneratedSpec& spec, const std::string& where) {
  if (find_profile(spec.profile) == nullptr) {
    std::vector<std::string> names;
    std::string list;
    for (const Profile& profile : profiles()) {
      names.push_back(profile.name);
      list += (list.empty() ? "" : ", ") + profile.name;
    }
    throw Error({where,
                 "unknown data profile '" + spec.profile + "'",
                 "there are " + list,
                 did_you_mean(spec.profile, names)});
  }
  check_range(spec.samples, kMostSamples, "the number of samples", where);
  check_range(spec.classes, kMostClasses, "the number of classes", where);
}

std::int64_t estimated_bytes(const GeneratedSpec& spec) {
  const Profile* const profile = find_profile(spec.profile);
  const std::int64_t mean = profile == nullptr ? 0 : profile->mean_bytes;
  return spec.samples * (mean + kBlockBytes / 2) + spec.classes * kBlockBytes;
}

std::string jpeg_version() {
#ifdef LIBJPEG_TURBO_VERSION
#define TUNE_TEXT(word) #word
#define TUNE_TEXT_OF(macro) TUNE_TEXT(macro)
  return TUNE_TEXT_OF(LIBJPEG_TURBO_VERSION);
#undef TUNE_TEXT_OF
#undef TUNE_TEXT
#else
  return "ijg" + std::to_string(JPEG_LIB_VERSION);
#endif
}

std::string set_name(const GeneratedSpec& spec) {
  return spec.profile + "-" + std::to_string(spec.samples) + "-" + std::to_string(spec.classes) +
         "c-seed" + std::to_string(spec.seed) + "-jpeg" + jpeg_version();
}

std::string class_name(const GeneratedSpec& spec, std::int64_t label) {
  return "class-" + padded(label, spec.classes, 4);
}

std::string image_path(const GeneratedSpec& spec, std::int64_t index) {
  return class_name(spec, index % spec.classes) + "/" + padded(index, spec.samples, 6) + ".jpg";
}

}  // namespace tune::dataset
