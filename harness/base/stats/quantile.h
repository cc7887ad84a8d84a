#pragma once

#include <cstdint>
#include <vector>

namespace tune::stats {

/// Middle of the sorted samples, mean of the two middle ones for an even count. Needs at least one
/// sample, all finite.
double median(std::vector<double> samples);

/// Linear interpolation between the order statistics at position ratio * (n - 1): "type 7" of
/// Hyndman and Fan, what NumPy and R do by default. Needs at least one sample; ratio from 0 to 1.
double quantile(std::vector<double> samples, double ratio);

/// The fewest samples from which a percentile may be told: with n independent ones none lies above
/// the population's with probability ratio^n, and then the largest of them is below it however one
/// interpolates. At most 5 % of that: 5 for the median, 29 for p90, 299 for p99. `ratio` lies
/// between 0 and 1, both excluded; below one half the same holds for the other end.
std::int64_t least_percentile_count(double ratio);

/// 1.4826 times the median distance from the median (MAD): the standard deviation where the samples
/// are normal, and hardly moved by up to half of them being anything else. In the samples' unit.
/// Needs at least one sample, all finite.
double robust_deviation(const std::vector<double>& samples);

}  // namespace tune::stats
