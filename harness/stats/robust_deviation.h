#pragma once

#include <vector>

namespace tune::stats {

/// 1.4826 times the median distance from the median (MAD): the standard deviation where the samples
/// are normal, and hardly moved by up to half of them being anything else. In the samples' unit.
/// Needs at least one sample, all finite.
double robust_deviation(const std::vector<double>& samples);

}  // namespace tune::stats
