#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune::dataset {

/// A file as libjpeg decodes it.
struct DecodedJpeg {
  std::string error;  ///< libjpeg's message; "" when it got to the end
  std::int64_t warnings = 0;
  int width = 0, height = 0, components = 0;  ///< as in the header
  bool is_progressive = false;
  int orientation = 0;               ///< from EXIF; 0 without
  std::vector<std::uint8_t> pixels;  ///< in the file's own colour space
};

enum class Read { header, all };

DecodedJpeg decode_jpeg(const std::string& bytes, Read what);

}  // namespace tune::dataset
