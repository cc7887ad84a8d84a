#include "base/stats/counts.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tune::stats {

namespace {

constexpr std::int64_t kMost = 10'000'000;
constexpr double kAsLikely = 1 + 1e-7;  // equal tables must count as equal after rounding

double real(std::int64_t whole) {
  return static_cast<double>(whole);
}

}  // namespace

double fisher_exact(const HitCount& left, const HitCount& right) {
  for (const HitCount& side : {left, right}) {
    TUNE_ASSERT(side.hits >= 0 && side.hits <= side.all && side.all <= kMost);
  }
  const std::int64_t hits = left.hits + right.hits;
  const std::int64_t fewest = std::max<std::int64_t>(0, hits - right.all);
  const std::int64_t most = std::min(hits, left.all);
  // Logarithm of each table's probability relative to the first, from the one before it.
  std::vector<double> logs = {0};
  for (std::int64_t x = fewest; x < most; ++x) {
    logs.push_back(logs.back() + std::log(real(left.all - x)) + std::log(real(hits - x)) -
                   std::log(real(x + 1)) - std::log(real(right.all - hits + x + 1)));
  }
  const double highest = *std::max_element(logs.begin(), logs.end());
  const double seen = std::exp(logs[static_cast<std::size_t>(left.hits - fewest)] - highest);
  double all = 0, as_unlikely = 0;
  for (const double log : logs) {
    const double likelihood = std::exp(log - highest);
    all += likelihood;
    as_unlikely += likelihood <= seen * kAsLikely ? likelihood : 0;
  }
  return std::min(1.0, as_unlikely / all);
}

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
