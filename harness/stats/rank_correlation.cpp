#include "stats/rank_correlation.h"

#include "base/assert.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace tune::stats {

namespace {

// The place of each value in the sorted list, from 1; equal ones share the mean of theirs.
std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] < values[b];
  });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) {
      ++end;
    }
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (; begin < end; ++begin) {
      ranks[order[begin]] = shared;
    }
  }
  return ranks;
}

}  // namespace

std::optional<double> spearman_rho(const std::vector<double>& first,
                                   const std::vector<double>& second) {
  TUNE_ASSERT(first.size() == second.size());
  const std::vector<double> a = mid_ranks(first), b = mid_ranks(second);
  const double middle = static_cast<double>(a.size() + 1) / 2;  // ties leave the mean as it is
  double products = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += (a[i] - middle) * (b[i] - middle);
    squares_a += (a[i] - middle) * (a[i] - middle);
    squares_b += (b[i] - middle) * (b[i] - middle);
  }
  if (squares_a == 0 || squares_b == 0) {
    return std::nullopt;
  }
  return std::clamp(products / std::sqrt(squares_a * squares_b), -1.0, 1.0);
}

}  // namespace tune::stats
