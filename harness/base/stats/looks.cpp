#include "base/stats/looks.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tune::stats {

namespace {

// The places of the values, from the smallest value to the largest; equal values keep their order.
std::vector<std::size_t> ascending(const std::vector<double>& values) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t left, std::size_t right) {
    return values[left] < values[right];
  });
  return places;
}

// The earliest look at which the exact signed-rank test can call anything, given the number of
// looks.
std::int64_t first_look(double alpha, std::size_t rows, double looks) {
  TUNE_ASSERT(alpha > 0 && alpha < 0.5);
  TUNE_ASSERT(rows >= 1);
  return static_cast<std::int64_t>(std::ceil(std::log2(looks * static_cast<double>(rows) / alpha)));
}

}  // namespace

LookSchedule make_looks(double alpha, std::size_t rows) {
  const std::int64_t first = first_look(alpha, rows, 3);
  // Computed in whole numbers: 1.6 and 2.4 are not exact.
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

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  std::size_t left = p_values.size();
  for (const std::size_t row : ascending(p_values)) {
    largest = std::max(largest, p_values[row] * static_cast<double>(left--));
    adjusted[row] = std::min(1.0, largest);
  }
  return adjusted;
}

std::vector<std::size_t> holm_called(const std::vector<double>& open_p_values,
                                     const HolmFamily& family) {
  TUNE_ASSERT(open_p_values.size() + family.called <= family.rows);
  std::vector<std::size_t> called;
  std::size_t left = family.rows - family.called;
  for (const std::size_t row : ascending(open_p_values)) {
    if (open_p_values[row] > family.level / static_cast<double>(left--)) {
      break;
    }
    called.push_back(row);
  }
  return called;
}

}  // namespace tune::stats
