#include "probe/jpeg_pixels.h"

#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h uses FILE without including it

namespace tune::probe {

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

}  // namespace tune::probe
