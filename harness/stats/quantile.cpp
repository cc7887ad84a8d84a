#include "stats/quantile.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

double quantile(std::vector<double> samples, double ratio) {
  TUNE_ASSERT(!samples.empty());
  TUNE_ASSERT(ratio >= 0 && ratio <= 1);
  std::sort(samples.begin(), samples.end());
  const double position = ratio * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  const double weight = position - static_cast<double>(below);
  return samples[below] + weight * (samples[above] - samples[below]);
}

}  // namespace tune::stats
