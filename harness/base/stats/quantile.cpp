#include "base/stats/quantile.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tune::stats {

double median(std::vector<double> samples) {
  TUNE_ASSERT(!samples.empty());
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(samples.begin(), middle)) / 2;
}

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

std::int64_t least_percentile_count(double ratio) {
  constexpr double kChance = 0.05;
  TUNE_ASSERT(ratio > 0 && ratio < 1);
  const double inner = std::max(ratio, 1 - ratio);
  return static_cast<std::int64_t>(std::ceil(std::log(kChance) / std::log(inner)));
}

double robust_deviation(const std::vector<double>& samples) {
  const double middle = median(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) {
    distances.push_back(std::abs(sample - middle));
  }
  return 1.4826 * median(std::move(distances));
}

double standard_error_of_median(const std::vector<double>& samples) {
  return robust_deviation(samples) *
         std::sqrt(std::numbers::pi / 2 / static_cast<double>(samples.size()));
}

}  // namespace tune::stats
