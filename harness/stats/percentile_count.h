#pragma once

#include <cstdint>

namespace tune::stats {

/// The fewest samples from which a percentile may be told: with n independent ones none lies above
/// the population's with probability ratio^n, and then the largest of them is below it however one
/// interpolates. At most 5 % of that: 5 for the median, 29 for p90, 299 for p99. `ratio` lies
/// between 0 and 1, both excluded; below one half the same holds for the other end.
std::int64_t least_percentile_count(double ratio);

}  // namespace tune::stats
