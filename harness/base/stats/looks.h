#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::stats {

/// One-sided probability of a false call over all looks: for a gate, per side, and for advice.
inline constexpr double kGateAlpha = 0.005;
inline constexpr double kAdviceAlpha = 0.025;

/// The numbers of pairs after which the differences are judged. Nothing is decided between looks.
struct LookSchedule {
  std::vector<std::int64_t> pairs;  ///< at each look, ascending
  double alpha = 0;                 ///< one-sided, over all looks
  std::size_t rows = 1;             ///< judged together

  /// The error probability of each look (Bonferroni): the intervals of all looks hold
  /// simultaneously.
  double alpha_per_look() const { return alpha / static_cast<double>(pairs.size()); }
  bool is_last(std::size_t look) const { return look + 1 >= pairs.size(); }
};

/// Three looks, for `rows` rows judged together by Holm's method: the first is the earliest at
/// which the exact signed-rank test can call one of that many rows, n1 = ceil(log2(3 rows /
/// alpha)), then ceil(1.6 n1) and 2.4 n1 rounded. Alpha = .005 and one row: 10, 16, 24.
LookSchedule make_looks(double alpha, std::size_t rows);

/// For a number that is measured to a given precision, however long that takes: nine looks, the
/// first at n1 = ceil(log2(9 rows / alpha)), each later one after 1.5 times as many pairs. Alpha =
/// .025 and one row: 9, 14, 21, 32, 48, 72, 108, 162, 243.
LookSchedule make_precision_looks(double alpha, std::size_t rows);

/// The p-values adjusted for being judged together: at most `level` exactly when Holm's step-down
/// method rejects at `level`, so that a false call among all rows has at most that probability. In
/// the order given; the rows may depend on each other in any way. Source: Holm, A simple
/// sequentially rejective multiple test procedure, 1979.
std::vector<double> holm_adjusted(const std::vector<double>& p_values);

/// The state of a family of rows at one look.
struct HolmFamily {
  double level = 0;        ///< probability of a false call that this look may spend: alpha / looks
  std::size_t rows = 0;    ///< all rows of the campaign
  std::size_t called = 0;  ///< rows called at earlier looks
};

/// Which of the open rows are called now (indices into `open_p_values`, smallest p first): with the
/// p-values sorted, the j-th is compared with level / (rows - called - j + 1), to the first miss.
///
/// Without an earlier false call at most rows - called - j + 1 true nulls are left at step j, so
/// each look errs with at most `level`. Rows decided otherwise still count among `rows`.
std::vector<std::size_t> holm_called(const std::vector<double>& open_p_values,
                                     const HolmFamily& family);

}  // namespace tune::stats
