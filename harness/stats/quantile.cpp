#include "stats/quantile.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

double quantile(std::vector<double> samples, double ratio) {
  TUNE_ASSERT(!samples.empty());
  TUNE_ASSERT(ratio >= 0 && ratio <= 1);
  const double position = ratio * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  const double weight = position - static_cast<double>(below);
  const auto at = [&samples](std::size_t rank) {
    return samples.begin() + static_cast<std::ptrdiff_t>(rank);
  };
  std::nth_element(samples.begin(), at(below), samples.end());
  const double low = *at(below);
  const double high = above == below ? low : *std::min_element(at(above), samples.end());
  return low + weight * (high - low);
}

}  // namespace tune::stats
