#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tune::stats {

/// Spearman's rho: how well the order of one list agrees with that of the other, -1 to 1. Pearson's
/// correlation of the mid-ranks: equal values share the mean of their ranks. Source: Spearman
/// (American Journal of Psychology 15, 1904); ties as in Kendall, "Rank Correlation Methods".
///
/// Empty with fewer than two pairs, or when all values of a list are equal: they have no order
/// then. Needs lists of equal length, all finite.
std::optional<double> spearman_rho(const std::vector<double>& first,
                                   const std::vector<double>& second);

/// Whether a series has a trend.
struct Trend {
  std::int64_t score = 0;  ///< Kendall's S: pairs that rise less pairs that fall
  double p = 1;  ///< probability of a trend this clear in this direction if the order were random
  double change_ratio = 0;  ///< from first to last by the Theil-Sen slope, of the median
};

/// The test of Mann and Kendall, exact up to 30 values (the count of permutations by inversions),
/// by the normal distribution with correction for continuity beyond; equal neighbours make it
/// conservative. Five values that only rise give p = 1 / 120, so that fewer show no trend at 1 %.
/// Source: Kendall, "Rank Correlation Methods"; slope: Sen (JASA 63, 1968).
///
/// Fewer than two values have no trend. All must be finite; `change_ratio` is 0 when the median is
/// 0.
Trend kendall_trend(const std::vector<double>& values);

}  // namespace tune::stats
