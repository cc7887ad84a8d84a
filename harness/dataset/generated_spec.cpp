#include "dataset/generated_spec.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/text.h"
#include "dataset/draws.h"

#include <jpeglib.h>

#include <algorithm>
#include <cstdio>  // jpeglib.h needs it
#include <string_view>

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

namespace {

constexpr std::int64_t kOne = 65536;  // 1 in Q16

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return hash;
}

/// 2^(mean + deviation * normal), both in Q16 of the binary logarithm; result in Q16.
std::int64_t log_normal_q16(Draws& draws, std::int64_t mean, std::int64_t deviation) {
  return exp2_q16(mean + ((deviation * draws.normal_q16()) >> 16));
}

struct Size {
  int width, height;
};

/// Photo sizes as in ImageNet's training set.
Size photo_size(Draws& draws) {
  const int percent = draws.between(0, 99);
  if (percent < 50) {
    return {500, 375};
  }
  if (percent < 62) {
    return {375, 500};
  }
  if (percent < 74) {
    return {500, 333};
  }
  if (percent < 80) {
    return {333, 500};
  }
  if (percent < 85) {
    return {500, 500};
  }
  constexpr std::int64_t kMedianSide = 340 * kOne;
  const std::int64_t spread = log_normal_q16(draws, 0, 47'000);  // sigma 0.5 of the natural log
  const std::int64_t aspect = log_normal_q16(draws, 0, 24'000);  // sigma 0.25
  const std::int64_t width = ((kMedianSide >> 16) * spread) >> 16;
  const std::int64_t height = (width * aspect) >> 16;
  return {static_cast<int>(std::clamp<std::int64_t>(width, 90, 2000)),
          static_cast<int>(std::clamp<std::int64_t>(height, 90, 2000))};
}

/// Log-normal bytes per pixel (median 0.53, sigma 0.45) within [0.10, 1.6].
std::int64_t photo_bytes(Draws& draws, Size size) {
  constexpr std::int64_t kLog2Median = -60'026;    // log2(0.53)
  constexpr std::int64_t kLog2Deviation = 42'547;  // 0.45 / ln 2
  const std::int64_t ratio = std::clamp<std::int64_t>(
      log_normal_q16(draws, kLog2Median, kLog2Deviation), kOne / 10, kOne * 16 / 10);
  return (std::int64_t{size.width} * size.height * ratio) >> 16;
}

/// Photos with many bytes per pixel were stored at a high quality: 85 up to 0.45, 96 from 0.8 on.
int lowest_quality(const ImagePlan& plan) {
  return 85 + static_cast<int>(std::clamp<std::int64_t>(
                  (bytes_per_kilopixel(plan, plan.target_bytes) - 450) * 11 / 350, 0, 11));
}

}  // namespace

std::int64_t bytes_per_kilopixel(const ImagePlan& plan, std::int64_t bytes) {
  constexpr std::int64_t kTablesAndHeader = 620;  // of every file; most of a tiny one
  return std::max<std::int64_t>(bytes - kTablesAndHeader, 0) * 1000 /
         (std::int64_t{plan.width} * plan.height);
}

ImagePlan plan_image(const GeneratedSpec& spec, std::int64_t index) {
  TUNE_ASSERT(index >= 0 && spec.classes > 0);
  const std::uint64_t key =
      scramble(hash_of(spec.profile) ^ scramble(spec.seed)) + static_cast<std::uint64_t>(index);
  Draws draws(key);
  ImagePlan plan;
  plan.label = index % spec.classes;
  plan.key = draws.bits();
  plan.subsampling = draws.between(0, 3) == 0 ? Subsampling::none_444 : Subsampling::both_420;
  Size size{};
  if (spec.profile == "tiny") {
    size = {32, 32};
    plan.target_bytes = draws.between(1100, 1300);
  } else if (spec.profile == "faults") {
    size = {draws.between(96, 256), draws.between(96, 256)};
    plan.target_bytes = photo_bytes(draws, size);
    plan.fault = fault_of(index);
  } else {
    size = photo_size(draws);
    plan.target_bytes = photo_bytes(draws, size);
  }
  plan.width = size.width;
  plan.height = size.height;
  plan.quality = draws.between(lowest_quality(plan), 96);
  return plan;
}

}  // namespace tune::dataset
