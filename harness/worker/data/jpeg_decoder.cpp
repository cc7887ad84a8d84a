#include "worker/data/jpeg_decoder.h"

#include "worker/data/file_bytes.h"

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h uses FILE without including it
#include <cstring>
#include <jerror.h>
#include <new>
#include <stdexcept>

namespace tune::worker {

namespace {

constexpr std::int64_t kMaxPixels = 64'000'000;

// A file in several scans is stored completely as coefficients, six bytes per pixel, and every scan
// may touch all of them. Cameras and encoders write about ten scans.
constexpr std::int64_t kMaxPixelsInScans = 16'000'000;
constexpr std::int64_t kMaxScannedPixels = 1'000'000'000;
constexpr int kMaxScans = 100;
constexpr JDIMENSION kRowsAtOnce = 16;

// Chroma upsampling mixes each column with its neighbours: these are decoded as well, then dropped.
constexpr std::int64_t kMarginBefore = 1, kMarginAfter = 2;

// djpeg warns about it, but the picture is complete.
bool is_harmless(int warning) {
  return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_JFIF_MAJOR ||
         warning == JWRN_ADOBE_XFORM || warning == JWRN_BOGUS_ICC;
}

// As Pillow does it: cameras and editors store CMYK inverted, so that 255 is no ink.
std::uint8_t without_ink(std::uint32_t colour, std::uint32_t black) {
  const std::uint32_t product = (255 - colour) * black + 128;
  const auto ink = static_cast<std::int64_t>(((product >> 8) + product) >> 8);
  return static_cast<std::uint8_t>(
      std::max<std::int64_t>(0, static_cast<std::int64_t>(black) - ink));
}

void copy_as_rgb(const std::uint8_t* row, std::int64_t width, int components, std::uint8_t* out) {
  if (components == 3) {
    std::memcpy(out, row, static_cast<std::size_t>(width * 3));
    return;
  }
  for (std::int64_t x = 0; x < width; ++x, row += 4, out += 3) {
    for (int channel = 0; channel < 3; ++channel) {
      out[channel] = without_ink(row[channel], row[3]);
    }
  }
}

Crop scaled(const Crop& crop, std::int64_t eighths, FrameSize frame) {
  const auto scale = [&](std::int64_t position) { return (position * eighths + 4) / 8; };
  Crop small;
  small.x = std::min(scale(crop.x), frame.width - 1);
  small.y = std::min(scale(crop.y), frame.height - 1);
  small.width =
      std::clamp<std::int64_t>(scale(crop.x + crop.width) - small.x, 1, frame.width - small.x);
  small.height =
      std::clamp<std::int64_t>(scale(crop.y + crop.height) - small.y, 1, frame.height - small.y);
  return small;
}

// The smallest scale with a fast path at which the crop is not smaller than the target.
std::int64_t eighths_for(const Crop& crop, std::int64_t target) {
  for (const std::int64_t eighths : {1, 2, 4}) {
    if (crop.width * eighths >= target * 8 && crop.height * eighths >= target * 8) {
      return eighths;
    }
  }
  return 8;
}

Crop with_margins(const Crop& crop, FrameSize frame) {
  Crop wide = crop;
  wide.x = std::max<std::int64_t>(0, crop.x - kMarginBefore);
  wide.width = std::min(frame.width, crop.x + crop.width + kMarginAfter) - wide.x;
  return wide;
}

}  // namespace

/// libjpeg's state. Its functions leave by longjmp when a file is broken, so no object with a
/// destructor may exist between setjmp and them.
struct JpegDecoder::Codec {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf escape{};
  std::array<char, JMSG_LENGTH_MAX + 64> message{};
  std::span<const std::uint8_t> file;

  Codec() {
    info.err = jpeg_std_error(&errors);
    errors.error_exit = [](j_common_ptr common) { of(common).give_up(); };
    errors.emit_message = [](j_common_ptr common, int level) { of(common).note(level); };
    errors.output_message = [](j_common_ptr) {};
    info.client_data = this;  // jpeg_create_decompress keeps it, and may already fail
    if (setjmp(escape) != 0) {
      jpeg_destroy_decompress(&info);
      if (errors.msg_code == JERR_OUT_OF_MEMORY) {
        throw std::bad_alloc();
      }
      throw std::runtime_error(std::string("libjpeg: ") + message.data());
    }
    jpeg_create_decompress(&info);
    progress.progress_monitor = [](j_common_ptr common) { of(common).limit_scans(); };
    info.progress = &progress;
  }
  ~Codec() { jpeg_destroy_decompress(&info); }
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  static Codec& of(j_common_ptr common) { return *static_cast<Codec*>(common->client_data); }

  [[noreturn]] void give_up() {
    remember_message();
    std::longjmp(escape, 1);
  }

  // A picture with invented parts is not used, so the first damage ends decoding.
  void note(int level) {
    if (level < 0 && !is_harmless(errors.msg_code)) {
      give_up();
    }
  }

  void limit_scans() {
    const std::int64_t scanned =
        static_cast<std::int64_t>(info.image_width) * info.image_height * info.input_scan_number;
    if (info.input_scan_number > kMaxScans || scanned > kMaxScannedPixels) {
      std::snprintf(message.data(),
                    message.size(),
                    "%d or more scans of %u x %u pixels",
                    info.input_scan_number,
                    info.image_width,
                    info.image_height);
      std::longjmp(escape, 1);
    }
  }

  void remember_message() {
    errors.format_message(reinterpret_cast<j_common_ptr>(&info), message.data());
    const std::size_t length = std::strlen(message.data());
    char* const end = message.data() + length;
    if (errors.msg_code == JWRN_JPEG_EOF) {
      std::snprintf(end, message.size() - length, " at byte %zu", file.size());
    } else if (!file.empty()) {
      std::snprintf(
          end, message.size() - length, " near byte %zu of %zu", read_bytes(), file.size());
    }
  }

  // At most one block of pixels less than what was read. At the end of the file libjpeg continues
  // with its own end marker.
  std::size_t read_bytes() const {
    const bool is_inside = info.src != nullptr && info.src->next_input_byte >= file.data() &&
                           info.src->next_input_byte <= file.data() + file.size();
    return is_inside ? file.size() - info.src->bytes_in_buffer : file.size();
  }
};

JpegDecoder::JpegDecoder() : codec_(std::make_unique<Codec>()) {}
JpegDecoder::~JpegDecoder() = default;

FrameSize JpegDecoder::frame() const {
  return {static_cast<std::int64_t>(codec_->info.image_width),
          static_cast<std::int64_t>(codec_->info.image_height)};
}

std::string JpegDecoder::open(std::span<const std::uint8_t> file) {
  file_ = file;
  if (std::string complaint = complaint_about_format(file); !complaint.empty()) {
    return complaint;
  }
  jpeg_abort_decompress(&codec_->info);
  if (!read_header()) {
    return codec_->message.data();
  }
  const bool has_scans = jpeg_has_multiple_scans(&codec_->info) != FALSE;
  if (frame().width * frame().height > (has_scans ? kMaxPixelsInScans : kMaxPixels)) {
    return std::to_string(frame().width) + "x" + std::to_string(frame().height) +
           " pixels are more than " + (has_scans ? "16 Mpx in several scans" : "64 Mpx");
  }
  return "";
}

bool JpegDecoder::read_header() {
  auto& info = codec_->info;
  if (setjmp(codec_->escape) != 0) {
    return false;
  }
  codec_->file = file_;
  jpeg_mem_src(&info, file_.data(), file_.size());
  jpeg_read_header(&info, TRUE);
  const bool has_four = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
  info.out_color_space = has_four ? JCS_CMYK : JCS_RGB;
  return true;
}

std::string JpegDecoder::decode(const Crop& crop, std::int64_t target, Mode mode, Pixels& pixels) {
  auto& info = codec_->info;
  const std::int64_t eighths = mode == Mode::roi_scaled ? eighths_for(crop, target) : 8;
  info.scale_num = static_cast<unsigned>(eighths);
  info.scale_denom = 8;
  const FrameSize small = {(frame().width * eighths + 7) / 8, (frame().height * eighths + 7) / 8};
  const Crop wanted = scaled(crop, eighths, small);
  const bool is_whole_needed = mode == Mode::full || !ends_with_marker(file_);
  crop_.at_least(static_cast<std::size_t>(wanted.width * wanted.height * 3));
  rows_.at_least(static_cast<std::size_t>(small.width * 4) * kRowsAtOnce);
  const Crop whole = {0, 0, small.width, small.height};
  const bool has_decoded = decode_window(is_whole_needed ? whole : with_margins(wanted, small),
                                         wanted,
                                         is_whole_needed ? Mode::full : mode);
  jpeg_abort_decompress(&info);
  if (!has_decoded) {
    return codec_->message.data();
  }
  pixels = {crop_.data(), {wanted.width, wanted.height}};
  return "";
}

bool JpegDecoder::decode_window(const Crop& window, const Crop& wanted, Mode mode) {
  auto& info = codec_->info;
  if (setjmp(codec_->escape) != 0) {
    return false;
  }
  jpeg_start_decompress(&info);
  auto first_column = static_cast<JDIMENSION>(window.x);
  if (static_cast<JDIMENSION>(window.width) < info.output_width) {
    auto width = static_cast<JDIMENSION>(window.width);
    jpeg_crop_scanline(&info, &first_column, &width);  // moves to the left, to a block's edge
  }
  if (window.y > 0) {
    jpeg_skip_scanlines(&info, static_cast<JDIMENSION>(window.y));
  }
  const int components = info.output_components;
  const std::int64_t row_bytes = static_cast<std::int64_t>(info.output_width) * components;
  const std::int64_t offset = (wanted.x - static_cast<std::int64_t>(first_column)) * components;
  const std::int64_t end = window.y + window.height;
  std::array<JSAMPROW, kRowsAtOnce> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = rows_.data() + static_cast<std::int64_t>(i) * row_bytes;
  }
  while (info.output_scanline < end) {
    const std::int64_t y = info.output_scanline;
    const auto room = static_cast<JDIMENSION>(std::min<std::int64_t>(kRowsAtOnce, end - y));
    const JDIMENSION got = jpeg_read_scanlines(&info, rows.data(), room);
    for (JDIMENSION i = 0; i < got; ++i) {
      const std::int64_t row = y + i - wanted.y;
      if (row >= 0 && row < wanted.height) {
        copy_as_rgb(
            rows[i] + offset, wanted.width, components, crop_.data() + row * wanted.width * 3);
      }
    }
  }
  if (mode == Mode::full) {
    jpeg_finish_decompress(&info);  // reads up to the end marker, so that a missing one is noticed
  }
  return true;
}

}  // namespace tune::worker
