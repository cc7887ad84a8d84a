#include "stats/look_schedule.h"

#include "base/assert.h"

#include <cmath>

namespace tune::stats {

namespace {

// As early as the exact signed-rank test can call anything at one of so many looks.
std::int64_t first_look(double alpha, std::size_t rows, double looks) {
  TUNE_ASSERT(alpha > 0 && alpha < 0.5);
  TUNE_ASSERT(rows >= 1);
  return static_cast<std::int64_t>(std::ceil(std::log2(looks * static_cast<double>(rows) / alpha)));
}

}  // namespace

LookSchedule make_looks(double alpha, std::size_t rows) {
  const std::int64_t first = first_look(alpha, rows, 3);
  // In whole numbers: 1.6 and 2.4 are not exact.
  return {
      .pairs = {first, (8 * first + 4) / 5, (24 * first + 5) / 10}, .alpha = alpha, .rows = rows};
}

LookSchedule make_precision_looks(double alpha, std::size_t rows) {
  constexpr std::size_t kLooks = 9;
  LookSchedule looks{.alpha = alpha, .rows = rows};
  std::int64_t pairs = first_look(alpha, rows, static_cast<double>(kLooks));
  for (std::size_t look = 0; look < kLooks; ++look) {
    looks.pairs.push_back(pairs);
    pairs = (3 * pairs + 1) / 2;
  }
  return looks;
}

}  // namespace tune::stats
