#include "machine/probe/decode_cost.h"

#include "base/stats/quantile.h"
#include "dataset/generated_image.h"
#include "machine/probe/timed_calls.h"

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h uses FILE without including it
#include <span>
#include <string>

namespace tune::probe {

std::optional<DecodeFit> fit_decode(const std::vector<DecodeTime>& images) {
  constexpr std::size_t kFewest = 8;
  double kb_kb = 0, kb_px = 0, px_px = 0, kb_one = 0, px_one = 0;
  for (const DecodeTime& image : images) {
    if (image.microseconds <= 0) {
      return std::nullopt;
    }
    const double kb = image.kilobytes / image.microseconds;
    const double px = image.kilopixels / image.microseconds;
    kb_kb += kb * kb;
    kb_px += kb * px;
    px_px += px * px;
    kb_one += kb;
    px_one += px;
  }
  const double determinant = kb_kb * px_px - kb_px * kb_px;
  constexpr double kSingular = 1e-6;
  if (images.size() < kFewest || determinant <= kSingular * kb_kb * px_px) {
    return std::nullopt;
  }
  DecodeFit fit;
  fit.per_kb = (kb_one * px_px - px_one * kb_px) / determinant;
  fit.per_kpx = (px_one * kb_kb - kb_one * kb_px) / determinant;
  std::vector<double> errors;
  errors.reserve(images.size());
  for (const DecodeTime& image : images) {
    const double predicted = fit.per_kb * image.kilobytes + fit.per_kpx * image.kilopixels;
    errors.push_back(std::abs(predicted / image.microseconds - 1));
  }
  fit.error = stats::median(std::move(errors));
  return fit;
}

struct JpegPixels::Codec {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf escape{};

  Codec() {
    info.err = jpeg_std_error(&errors);
    errors.error_exit = [](j_common_ptr common) {
      std::longjmp(static_cast<Codec*>(common->client_data)->escape, 1);
    };
    errors.emit_message = [](j_common_ptr, int) {};
    errors.output_message = [](j_common_ptr) {};
    info.client_data = this;
    jpeg_create_decompress(&info);
  }
  ~Codec() { jpeg_destroy_decompress(&info); }
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
};

JpegPixels::JpegPixels() : codec_(std::make_unique<Codec>()) {}
JpegPixels::~JpegPixels() = default;

std::int64_t JpegPixels::decode(std::span<const unsigned char> file) {
  auto& info = codec_->info;
  if (setjmp(codec_->escape) != 0) {
    jpeg_abort_decompress(&info);
    return 0;
  }
  jpeg_mem_src(&info, file.data(), file.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  constexpr JDIMENSION kRowsAtOnce = 16;
  const std::size_t row_bytes = std::size_t{info.output_width} * 3;
  const std::size_t bytes = row_bytes * info.output_height;
  if (pixels_.size() < bytes) {
    pixels_.resize(bytes);
  }
  std::array<JSAMPROW, kRowsAtOnce> rows{};
  while (info.output_scanline < info.output_height) {
    const JDIMENSION room = std::min(kRowsAtOnce, info.output_height - info.output_scanline);
    for (JDIMENSION i = 0; i < room; ++i) {
      rows[i] = pixels_.data() + (info.output_scanline + i) * row_bytes;
    }
    jpeg_read_scanlines(&info, rows.data(), room);
  }
  jpeg_finish_decompress(&info);
  return static_cast<std::int64_t>(info.output_width) * info.output_height;
}

namespace {

using dataset::Subsampling;

constexpr std::int64_t kImages = 64, kQuickImages = 16;  // half of each kind
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
        number->reason = late.empty() ? "the images cannot separate the two terms" : late;
      }
      numbers.push_back(*number);
    }
  }
  return numbers;
}

}  // namespace tune::probe
