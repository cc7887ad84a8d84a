#include "base/stats/signed_rank.h"

#include "base/assert.h"
#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tune::stats {

namespace {

constexpr std::int64_t kMostCounted = 62;

std::size_t most_rank_sum(std::int64_t n) {
  return static_cast<std::size_t>(n * (n + 1) / 2);
}

// The weights of W = 0, 1, ... when each pattern of signs has the weight `pattern`. Samples are
// added one by one; the rank of each counts or does not.
template <class Number>
std::vector<Number> distribution(std::int64_t n, Number pattern) {
  std::vector<Number> weights(most_rank_sum(n) + 1, Number{0});
  weights[0] = pattern;
  for (std::int64_t rank = 1; rank <= n; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    for (std::size_t sum = most_rank_sum(rank); sum >= r; --sum) {
      weights[sum] += weights[sum - r];
    }
  }
  return weights;
}

// P(W <= 0), P(W <= 1), ...
std::vector<double> cumulated(std::int64_t n) {
  TUNE_ASSERT(n >= 0 && n <= kMostRankedSamples);
  std::vector<double> shares;
  shares.reserve(most_rank_sum(n) + 1);
  if (n <= kMostCounted) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : signed_rank_counts(n)) {
      sum += count;
      shares.push_back(std::ldexp(static_cast<double>(sum), static_cast<int>(-n)));
    }
  } else {
    double sum = 0;
    for (const double share : distribution<double>(n, std::ldexp(1.0, static_cast<int>(-n)))) {
      sum += share;
      shares.push_back(std::min(sum, 1.0));
    }
  }
  return shares;
}

std::vector<double> unsorted_averages(const std::vector<double>& samples) {
  std::vector<double> averages;
  averages.reserve(samples.size() * (samples.size() + 1) / 2);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    TUNE_ASSERT(std::isfinite(samples[i]));
    for (std::size_t j = 0; j <= i; ++j) {
      averages.push_back((samples[i] + samples[j]) / 2);
    }
  }
  return averages;
}

double location_of(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace

std::vector<std::uint64_t> signed_rank_counts(std::int64_t n) {
  TUNE_ASSERT(n >= 0 && n <= kMostCounted);
  return distribution<std::uint64_t>(n, 1);
}

double signed_rank_cdf(std::int64_t k, std::int64_t n) {
  if (k < 0) {
    return 0;
  }
  const std::vector<double> shares = cumulated(n);
  return shares[std::min(static_cast<std::size_t>(k), shares.size() - 1)];
}

std::optional<std::int64_t> signed_rank_k(std::int64_t n, double level) {
  const std::vector<double> shares = cumulated(n);
  const auto above = std::upper_bound(shares.begin(), shares.end(), level);
  if (above == shares.begin()) {
    return std::nullopt;
  }
  return above - shares.begin() - 1;
}

std::vector<double> walsh_averages(const std::vector<double>& samples) {
  std::vector<double> averages = unsorted_averages(samples);
  std::sort(averages.begin(), averages.end());
  return averages;
}

double hodges_lehmann(const std::vector<double>& samples) {
  TUNE_ASSERT(!samples.empty());
  return median(unsorted_averages(samples));
}

LocationBounds location_bounds(const std::vector<double>& samples, double level) {
  TUNE_ASSERT(!samples.empty());
  TUNE_ASSERT(level > 0 && level < 0.5);
  const std::vector<double> averages = walsh_averages(samples);
  const auto n = static_cast<std::int64_t>(samples.size());
  LocationBounds bounds{.lower = -std::numeric_limits<double>::infinity(),
                        .upper = std::numeric_limits<double>::infinity(),
                        .estimate = location_of(averages),
                        .level = level,
                        .k = signed_rank_k(n, level)};
  if (bounds.k) {
    const auto outer = static_cast<std::size_t>(*bounds.k);
    bounds.lower = averages[outer];
    bounds.upper = averages[averages.size() - 1 - outer];
  } else {
    bounds.warning = "too few samples: " + std::to_string(n) + " of at least " +
                     std::to_string(std::lround(std::ceil(-std::log2(level))));
  }
  return bounds;
}

double lower_location_bound(const std::vector<double>& samples, std::int64_t k) {
  std::vector<double> averages = unsorted_averages(samples);
  TUNE_ASSERT(k >= 0 && static_cast<std::size_t>(k) < averages.size());
  const auto bound = averages.begin() + k;
  std::nth_element(averages.begin(), bound, averages.end());
  return *bound;
}

double p_not_above(const std::vector<double>& samples, double threshold) {
  const std::vector<double> averages = walsh_averages(samples);
  const auto above = std::upper_bound(averages.begin(), averages.end(), threshold);
  return signed_rank_cdf(above - averages.begin(), static_cast<std::int64_t>(samples.size()));
}

}  // namespace tune::stats
