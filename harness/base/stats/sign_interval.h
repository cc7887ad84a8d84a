#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tune::stats {

/// Interval for the median of the population, [x_(k+1), x_(n-k)] of the sorted samples.
///
/// Assumes independent samples of one continuous distribution and nothing about its shape. The
/// number of samples below the median is then Binomial(n, 1/2), so the confidence is exactly
/// 1 - 2 * P(Binomial(n, 1/2) <= k). Ties only make it cover more.
struct SignInterval {
  double lower = 0, upper = 0;
  double confidence = 0;
  std::int64_t n = 0, k = 0;
  std::string warning;  ///< "too few samples for 95 %: this interval covers 75 %", or ""
};

/// The narrowest such interval with at least the wanted confidence; if even k = 0 has less, the
/// interval for k = 0, with a warning. Needs at least two samples.
SignInterval sign_interval(std::vector<double> samples, double wanted_confidence = 0.95);

}  // namespace tune::stats
