#pragma once

#include <optional>
#include <vector>

namespace tune::stats {

/// Spearman's rho: how well the order of one list agrees with that of the other, -1 to 1. The
/// correlation of Pearson between mid-ranks, so that equal values share the mean of the places that
/// they take. Source: Spearman (American Journal of Psychology 15, 1904); ties as in Kendall, "Rank
/// Correlation Methods".
///
/// Nothing with fewer than two pairs, and where all values of a list are equal: there is no order
/// then. Needs lists of equal length, all finite.
std::optional<double> spearman_rho(const std::vector<double>& first,
                                   const std::vector<double>& second);

}  // namespace tune::stats
