#pragma once

#include <optional>
#include <vector>

namespace tune::probe {

/// One image: its size, and how long its decoding took.
struct DecodeTime {
  double kilobytes = 0, kilopixels = 0;  ///< of 1000
  double microseconds = 0;
};

/// time = per_kb * KB + per_kpx * kpx: Huffman decoding goes by bytes, the rest by pixels.
struct DecodeFit {
  double per_kb = 0, per_kpx = 0;  ///< us
  double error = 0;                ///< median of |predicted / measured - 1|
};

/// Least squares of the relative errors. Nothing when there are fewer than eight images, or all
/// have the same bytes per pixel: then the two terms cannot be told apart.
std::optional<DecodeFit> fit_decode(const std::vector<DecodeTime>& images);

}  // namespace tune::probe
