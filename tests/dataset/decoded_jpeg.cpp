#include "decoded_jpeg.h"

#include <jpeglib.h>

#include <array>
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it

namespace tune::dataset {

namespace {

struct Errors {
  jpeg_error_mgr base;
  std::jmp_buf back;
};

// Decodes up to the pixels; false on an error. Has no object with a destructor: longjmp skips
// those.
bool read_head(jpeg_decompress_struct& state, Errors& errors, const std::string& bytes) {
  if (setjmp(errors.back) != 0) {
    return false;
  }
  jpeg_create_decompress(&state);
  jpeg_mem_src(&state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_save_markers(&state, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&state, TRUE);
  state.out_color_space = state.jpeg_color_space;
  return true;
}

bool read_rows(jpeg_decompress_struct& state, Errors& errors, std::uint8_t* pixels) {
  if (setjmp(errors.back) != 0) {
    return false;
  }
  jpeg_start_decompress(&state);
  while (state.output_scanline < state.output_height) {
    JSAMPROW row = pixels + std::size_t{state.output_scanline} * state.output_width *
                                static_cast<std::size_t>(state.output_components);
    jpeg_read_scanlines(&state, &row, 1);
  }
  jpeg_finish_decompress(&state);
  return true;
}

}  // namespace

DecodedJpeg decode_jpeg(const std::string& bytes, Read what) {
  jpeg_decompress_struct state{};
  Errors errors{};
  state.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = [](j_common_ptr common) {
    std::longjmp(reinterpret_cast<Errors*>(common->err)->back, 1);
  };
  errors.base.output_message = [](j_common_ptr) {};
  DecodedJpeg result;
  bool fine = read_head(state, errors, bytes);
  if (fine) {
    result.width = static_cast<int>(state.image_width);
    result.height = static_cast<int>(state.image_height);
    result.components = state.num_components;
    result.is_progressive = state.progressive_mode != 0;
    if (state.marker_list != nullptr && state.marker_list->data_length == 32) {
      result.orientation = state.marker_list->data[24];
    }
  }
  if (fine && what == Read::all) {
    result.pixels.resize(std::size_t{state.image_width} * state.image_height *
                         static_cast<std::size_t>(state.num_components));
    fine = read_rows(state, errors, result.pixels.data());
  }
  if (!fine) {
    std::array<char, JMSG_LENGTH_MAX> message{};
    errors.base.format_message(reinterpret_cast<j_common_ptr>(&state), message.data());
    result.error = message.data();
  }
  result.warnings = errors.base.num_warnings;
  jpeg_destroy_decompress(&state);
  return result;
}

}  // namespace tune::dataset
