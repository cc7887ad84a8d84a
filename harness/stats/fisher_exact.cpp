#include "stats/fisher_exact.h"

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

}  // namespace tune::stats
