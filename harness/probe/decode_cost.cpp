#include "probe/decode_cost.h"

#include "dataset/generated_image.h"
#include "probe/decode_fit.h"
#include "probe/jpeg_pixels.h"
#include "probe/timed_calls.h"
#include "stats/median.h"

#include <array>
#include <span>
#include <string>

namespace tune::probe {

namespace {

using dataset::Subsampling;

constexpr std::int64_t kImages = 64, kQuickImages = 16;  // of each kind half
constexpr double kKilo = 1e-3, kMicro = 1e-6;

struct Kind {
  Subsampling subsampling;
  const char* label;
};
constexpr std::array<Kind, 2> kKinds = {
    {{Subsampling::both_420, "4:2:0"}, {Subsampling::none_444, "4:4:4"}}};

// The first images of the profile with this subsampling.
std::vector<std::string> images_of(Subsampling subsampling, std::int64_t count) {
  constexpr std::int64_t kMostTries = 1000;
  const dataset::GeneratedSpec spec{
      .profile = "imagenet", .samples = kMostTries, .classes = 10, .seed = 1};
  std::vector<std::string> files;
  for (std::int64_t i = 0; i < kMostTries && static_cast<std::int64_t>(files.size()) < count; ++i) {
    if (dataset::plan_image(spec, i).subsampling == subsampling) {
      files.push_back(dataset::generate_image(spec, i).bytes);
    }
  }
  return files;
}

std::span<const unsigned char> bytes_of(const std::string& file) {
  return {reinterpret_cast<const unsigned char*>(file.data()), file.size()};
}

std::optional<DecodeFit> fit_kind(Subsampling subsampling, std::int64_t count) {
  JpegPixels decoder;
  std::vector<DecodeTime> images;
  for (const std::string& file : images_of(subsampling, count)) {
    const std::int64_t pixels = decoder.decode(bytes_of(file));  // warms up as well
    if (pixels == 0) {
      continue;
    }
    constexpr int kRepetitions = 7;
    const auto seconds = seconds_per_call({.work = [&] { (void)decoder.decode(bytes_of(file)); },
                                           .repetitions = kRepetitions,
                                           .least_s = 0});
    images.push_back({static_cast<double>(file.size()) * kKilo,
                      static_cast<double>(pixels) * kKilo,
                      stats::median(seconds) / kMicro});
  }
  return fit_decode(images);
}

}  // namespace

std::vector<Number> decode_cost(const Effort& effort) {
  const std::int64_t count = (effort.is_quick ? kQuickImages : kImages) / 2;
  std::vector<Number> numbers;
  numbers.reserve(2 * kKinds.size());
  for (const Kind& kind : kKinds) {
    Number per_kb{"decode_time_per_kb", kind.label, "us/KB"};
    Number per_kpx{"decode_time_per_kpx", kind.label, "us/kpx"};
    const std::string late = why_too_late(effort);
    const auto fit = late.empty() ? fit_kind(kind.subsampling, count) : std::nullopt;
    for (Number* number : {&per_kb, &per_kpx}) {
      if (fit) {
        number->value = number == &per_kb ? fit->per_kb : fit->per_kpx;
        number->noise = fit->error;
        number->n = count;
      } else {
        number->reason = late.empty() ? "the images do not tell the two terms apart" : late;
      }
      numbers.push_back(*number);
    }
  }
  return numbers;
}

}  // namespace tune::probe
