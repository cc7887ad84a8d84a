#include "probe/decode_fit.h"

#include "stats/median.h"

#include <cmath>

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

}  // namespace tune::probe
