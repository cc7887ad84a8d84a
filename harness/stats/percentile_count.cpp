#include "stats/percentile_count.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>

namespace tune::stats {

std::int64_t least_percentile_count(double ratio) {
  constexpr double kChance = 0.05;
  TUNE_ASSERT(ratio > 0 && ratio < 1);
  const double inner = std::max(ratio, 1 - ratio);
  return static_cast<std::int64_t>(std::ceil(std::log(kChance) / std::log(inner)));
}

}  // namespace tune::stats
