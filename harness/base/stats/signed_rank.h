#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::stats {

/// More than any campaign has; more are our bug.
inline constexpr std::int64_t kMostRankedSamples = 1000;

/// P(W <= k), where W is Wilcoxon's signed-rank sum of n samples that are symmetric about 0.
///
/// Exact: each of the 2^n patterns of signs is counted, in 64-bit integers up to n = 62. For more
/// samples the same sum is taken over probabilities (relative error below n * 1e-16); the normal
/// approximation is never used. n from 0 to kMostRankedSamples.
double signed_rank_cdf(std::int64_t k, std::int64_t n);

/// The number of sign patterns of n samples with W = 0, 1, ..., n (n + 1) / 2. n from 0 to 62.
std::vector<std::uint64_t> signed_rank_counts(std::int64_t n);

/// The largest k with P(W <= k) <= level; none where even P(W = 0) = 2^-n is above it.
std::optional<std::int64_t> signed_rank_k(std::int64_t n, double level);

/// All means of two samples and of each with itself, sorted: n (n + 1) / 2 of them.
std::vector<double> walsh_averages(const std::vector<double>& samples);

/// The location of the samples by Hodges and Lehmann: the median of the Walsh averages. Needs at
/// least one sample.
double hodges_lehmann(const std::vector<double>& samples);

/// The location of the samples and its bounds, in the samples' unit.
struct LocationBounds {
  /// Each one has confidence 1 - level, both together 1 - 2 level. -inf and +inf when there are too
  /// few samples for the level.
  double lower = 0, upper = 0;
  double estimate = 0;  ///< of Hodges and Lehmann
  double level = 0;     ///< one-sided, as asked for
  std::optional<std::int64_t> k;
  std::string warning;  ///< "too few samples: 4 of at least 10", or ""
};

/// Exact one-sided bounds of the location from the Walsh averages w: w_(k+1) and w_(M-k).
///
/// Assumes independent samples, each symmetric about the location; their spreads may differ. Ties
/// make the bounds wider, skewness makes them wrong. Source: Hollander and Wolfe, Nonparametric
/// Statistical Methods, 3.3. Needs at least one sample.
LocationBounds location_bounds(const std::vector<double>& samples, double level);

/// Only the lower bound, w_(k+1), for a known k = signed_rank_k(n, level): resampling needs it
/// thousands of times. k from 0 to n (n + 1) / 2 - 1.
double lower_location_bound(const std::vector<double>& samples, std::int64_t k);

/// One-sided p for "the location is at most `threshold`", small where it is above: P(W <= #{w <=
/// threshold}). At most `level` exactly where the lower bound at that level is above the threshold.
double p_not_above(const std::vector<double>& samples, double threshold);

}  // namespace tune::stats
