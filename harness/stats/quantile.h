#pragma once

#include <vector>

namespace tune::stats {

/// Linear interpolation between the order statistics at position ratio * (n - 1): "type 7" of
/// Hyndman and Fan, what NumPy and R do by default. Needs at least one sample; ratio from 0 to 1.
double quantile(std::vector<double> samples, double ratio);

}  // namespace tune::stats
