#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tune {

/// a + b, or the largest number of that sign which fits: for sums of what files say. Never the
/// least number of int64, which stands for "unknown" in a timeline.
constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return b < 0 ? -kMost : kMost;
  }
  return std::max(sum, -kMost);
}

}  // namespace tune
