#include "base/stats/log_ratio.h"

#include "base/assert.h"
#include "base/stats/quantile.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tune::stats {

double log_ratio(double candidate, double baseline) {
  TUNE_ASSERT(candidate > 0 && baseline > 0);
  return std::log(candidate / baseline);
}

double gain_of(double log_ratio) {
  return std::expm1(log_ratio);
}

std::string percent_text(double ratio) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), ratio * 100, std::chars_format::fixed, 1);
  return std::string(text.data(), end.ptr) + " %";
}

}  // namespace tune::stats
