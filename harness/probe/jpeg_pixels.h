#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tune::probe {

/// Decodes whole JPEG files to RGB with the settings of the loader, reusing its memory.
class JpegPixels {
 public:
  JpegPixels();
  ~JpegPixels();
  JpegPixels(const JpegPixels&) = delete;
  JpegPixels& operator=(const JpegPixels&) = delete;

  /// Number of pixels; 0 when the file cannot be decoded.
  std::int64_t decode(std::span<const unsigned char> file);

 private:
  struct Codec;
  std::unique_ptr<Codec> codec_;
  std::vector<unsigned char> pixels_;
};

}  // namespace tune::probe
