#include "base/stats/sign_interval.h"

#include "base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tune::stats {

namespace {

std::string too_few(double wanted, double confidence) {
  std::array<char, 96> text{};
  std::snprintf(text.data(),
                text.size(),
                "too few samples for %g %%: this interval covers %g %%",
                wanted * 100,
                confidence * 100);
  return text.data();
}

// How likely i of n tosses are heads. Computed in logarithms, because 2^-n underflows for large n;
// exact up to n = 53.
double binomial_half(std::int64_t i, std::int64_t n) {
  const auto real = [](std::int64_t whole) { return static_cast<double>(whole); };
  if (n > 53) {
    return std::exp(std::lgamma(real(n + 1)) - std::lgamma(real(i + 1)) -
                    std::lgamma(real(n - i + 1)) - real(n) * std::log(2.0));
  }
  double choose = 1;
  for (std::int64_t j = 1; j <= i; ++j) {
    choose = std::round(choose * real(n - i + j) / real(j));
  }
  return std::ldexp(choose, static_cast<int>(-n));
}

}  // namespace

SignInterval sign_interval(std::vector<double> samples, double wanted_confidence) {
  TUNE_ASSERT(samples.size() >= 2);
  TUNE_ASSERT(wanted_confidence > 0 && wanted_confidence < 1);
  std::sort(samples.begin(), samples.end());
  SignInterval interval;
  interval.n = static_cast<std::int64_t>(samples.size());
  const auto covered = [](double cdf) { return 1 - 2 * std::min(cdf, 1.0); };
  double cdf = binomial_half(0, interval.n);  // of k: each k adds one term to the sum
  while (2 * (interval.k + 1) < interval.n) {
    const double next = cdf + binomial_half(interval.k + 1, interval.n);
    if (covered(next) < wanted_confidence) {
      break;
    }
    cdf = next;
    ++interval.k;
  }
  interval.confidence = covered(cdf);
  const auto outer = static_cast<std::size_t>(interval.k);
  interval.lower = samples[outer];
  interval.upper = samples[samples.size() - 1 - outer];
  if (interval.confidence < wanted_confidence) {
    interval.warning = too_few(wanted_confidence, interval.confidence);
  }
  return interval;
}

}  // namespace tune::stats
