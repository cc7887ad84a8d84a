#include "stats/false_alarm_bound.h"

#include "base/assert.h"

#include <cmath>

namespace tune::stats {

namespace {

// P(Binomial(n, p) <= k), 0 < p < 1; each term from the one before, in logarithms.
double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  double log_term = static_cast<double>(n) * std::log1p(-p);
  double sum = std::exp(log_term);
  for (std::int64_t i = 1; i <= k; ++i) {
    log_term += std::log(static_cast<double>(n - i + 1) / static_cast<double>(i)) + std::log(p) -
                std::log1p(-p);
    sum += std::exp(log_term);
  }
  return sum;
}

}  // namespace

double false_alarm_bound(std::int64_t alarms, std::int64_t verdicts, double confidence) {
  TUNE_ASSERT(alarms >= 0 && alarms <= verdicts);
  TUNE_ASSERT(confidence > 0 && confidence < 1);
  if (alarms == verdicts) {
    return 1;
  }
  if (alarms == 0) {
    return -std::expm1(std::log1p(-confidence) / static_cast<double>(verdicts));
  }
  double below = 0, above = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (below + above) / 2;
    (binomial_cdf(alarms, verdicts, middle) > 1 - confidence ? below : above) = middle;
  }
  return above;
}

}  // namespace tune::stats
