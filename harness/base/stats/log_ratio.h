#pragma once

#include <string>
#include <vector>

namespace tune::stats {

/// Ratios are compared on the log scale, on which "twice as fast" and "half as fast" are equally
/// far from 1: ln(candidate / baseline). Both must be above 0.
double log_ratio(double candidate, double baseline);

/// exp(x) - 1: back from the log scale to a gain (0.25 = +25 %).
double gain_of(double log_ratio);

/// 0.0396 -> "4.0 %", for sentences in warnings; the same in every locale.
std::string percent_text(double ratio);

}  // namespace tune::stats
