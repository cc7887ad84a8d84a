#pragma once

#include <cstdint>
#include <vector>

namespace tune::stats {

/// The middle one of the sorted samples; for an even count the mean of the two middle ones. Needs
/// at least one sample, all finite.
double median(std::vector<double> samples);

/// Linear interpolation between the order statistics at position ratio * (n - 1): "type 7" of
/// Hyndman and Fan, what NumPy and R do by default. Needs at least one sample; ratio from 0 to 1.
double quantile(std::vector<double> samples, double ratio);

/// The fewest samples from which a percentile may be reported. With probability ratio^n none of n
/// independent samples exceeds the population's percentile, and then no interpolation can reach it.
/// At most 5 % of that: 5 for the median, 29 for p90, 299 for p99. `ratio` is between 0 and 1, both
/// excluded; below one half the same holds for the other end.
std::int64_t least_percentile_count(double ratio);

/// 1.4826 times the median distance from the median (MAD): the standard deviation when the samples
/// are normal, and robust against up to half of them being outliers. In the samples' unit. Needs at
/// least one sample, all finite.
double robust_deviation(const std::vector<double>& samples);

/// The standard error of the median of normal samples: robust_deviation * sqrt(pi / 2 / n). In the
/// samples' unit. Needs at least one sample, all finite.
double standard_error_of_median(const std::vector<double>& samples);

}  // namespace tune::stats
