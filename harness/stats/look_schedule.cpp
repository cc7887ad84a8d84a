#include "stats/look_schedule.h"

#include "base/assert.h"

#include <cmath>

namespace tune::stats {

LookSchedule make_looks(double alpha, std::size_t rows) {
  TUNE_ASSERT(alpha > 0 && alpha < 0.5);
  TUNE_ASSERT(rows >= 1);
  const auto first =
      static_cast<std::int64_t>(std::ceil(std::log2(3 * static_cast<double>(rows) / alpha)));
  // In whole numbers: 1.6 and 2.4 are not exact.
  return {
      .pairs = {first, (8 * first + 4) / 5, (24 * first + 5) / 10}, .alpha = alpha, .rows = rows};
}

}  // namespace tune::stats
