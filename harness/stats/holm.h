#pragma once

#include <cstddef>
#include <vector>

namespace tune::stats {

/// Each p-value as it stands when all of them are judged together: at most `level` exactly where
/// Holm's step-down method rejects at `level`, so that a false call among all rows has at most that
/// probability. In the order given; nothing is assumed about how the rows depend on each other.
/// Source: Holm, A simple sequentially rejective multiple test procedure, 1979.
std::vector<double> holm_adjusted(const std::vector<double>& p_values);

/// How a family of rows stands at one look.
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
