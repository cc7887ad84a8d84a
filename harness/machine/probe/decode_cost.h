#pragma once

#include "machine/probe/probe_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tune::probe {

/// One image: its size, and its decoding time.
struct DecodeTime {
  double kilobytes = 0, kilopixels = 0;  ///< of 1000
  double microseconds = 0;
};

/// time = per_kb * KB + per_kpx * kpx: Huffman decoding scales with bytes, the rest with pixels.
struct DecodeFit {
  double per_kb = 0, per_kpx = 0;  ///< us
  double error = 0;                ///< median of |predicted / measured - 1|
};

/// Least squares of the relative errors. Nothing with fewer than eight images, or when all have the
/// same bytes per pixel: then the two terms cannot be separated.
std::optional<DecodeFit> fit_decode(const std::vector<DecodeTime>& images);

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

/// decode_time_per_kb and decode_time_per_kpx of JPEG files, 4:2:0 and 4:4:4, on one thread: fitted
/// to generated images of the profile `imagenet`.
std::vector<Number> decode_cost(const Effort& effort);

}  // namespace tune::probe
