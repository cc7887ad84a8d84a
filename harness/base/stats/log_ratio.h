#pragma once

#include <string>
#include <vector>

namespace tune::stats {

/// Ratios are compared on the log scale, on which "twice as fast" and "half as fast" are equally
/// far from 1: ln(candidate / baseline). Both must be above 0.
double log_ratio(double candidate, double baseline);

/// exp(x) - 1: back from the log scale to a gain (0.25 = +25 %).
double gain_of(double log_ratio);

/// The median of ratios; for an even count the geometric mean of the two middle ones, so that the
/// median of the inverses is the inverse of the median. Needs at least one ratio, all above 0.
double median_ratio(const std::vector<double>& ratios);

/// 0.0396 -> "4.0 %", for sentences in warnings; the same in every locale.
std::string percent_text(double ratio);

}  // namespace tune::stats
