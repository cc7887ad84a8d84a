#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::stats {

/// One-sided probability of a false call over all looks: a gate's, per side, and advice's.
inline constexpr double kGateAlpha = 0.005;
inline constexpr double kAdviceAlpha = 0.025;

/// After how many pairs the differences are looked at. Nothing is decided between looks.
struct LookSchedule {
  std::vector<std::int64_t> pairs;  ///< at each look, ascending
  double alpha = 0;                 ///< one-sided, over all looks
  std::size_t rows = 1;             ///< judged together

  /// What each look spends (Bonferroni): the intervals of all looks hold together.
  double alpha_per_look() const { return alpha / static_cast<double>(pairs.size()); }
  bool is_last(std::size_t look) const { return look + 1 >= pairs.size(); }
};

/// Three looks, for `rows` rows judged together by Holm's method: the first as early as the exact
/// signed-rank test of that many rows can call anything, n1 = ceil(log2(3 rows / alpha)), then
/// ceil(1.6 n1) and 2.4 n1 rounded. Alpha = .005 and one row: 10, 16, 24.
LookSchedule make_looks(double alpha, std::size_t rows);

/// For a number that is wanted to a given precision, however long that takes: nine looks, the first
/// at n1 = ceil(log2(9 rows / alpha)), each later one after half as many pairs again. Alpha = .025
/// and one row: 9, 14, 21, 32, 48, 72, 108, 162, 243.
LookSchedule make_precision_looks(double alpha, std::size_t rows);

}  // namespace tune::stats
