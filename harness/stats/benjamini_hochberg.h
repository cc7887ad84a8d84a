#pragma once

#include <vector>

namespace tune::stats {

/// Each p-value as it stands when false discoveries are limited: of the rows with an adjusted value
/// of at most q, a share of q is expected to be false. For exploring, never for a gate. In the
/// order given. Assumes that rows are independent or positively dependent. Source: Benjamini and
/// Hochberg, Controlling the false discovery rate, 1995.
std::vector<double> benjamini_hochberg_adjusted(const std::vector<double>& p_values);

}  // namespace tune::stats
