#include "base/stats/rank_correlation.h"

#include "base/assert.h"
#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <numeric>

namespace tune::stats {

namespace {

// The rank of each value, from 1; equal values share the mean of their ranks.
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

namespace {

constexpr std::size_t kMostExact = 30;

// The share of random orders of `count` values that have at most `inversions` pairs out of order.
// Each value that is added to a shorter order is inserted after 0, 1, ... of the values before it.
double chance_of_inversions(std::size_t count, std::size_t inversions) {
  std::vector<double> share(count * (count - 1) / 2 + 1, 0);
  share[0] = 1;
  for (std::size_t size = 2; size <= count; ++size) {
    std::vector<double> next(share.size(), 0);
    for (std::size_t total = 0; total < share.size(); ++total) {
      for (std::size_t behind = 0; behind < size && behind <= total; ++behind) {
        next[total] += share[total - behind] / static_cast<double>(size);
      }
    }
    share = std::move(next);
  }
  double sum = 0;
  for (std::size_t total = 0; total <= inversions && total < share.size(); ++total) {
    sum += share[total];
  }
  return sum;
}

double chance_of_score(std::size_t count, std::int64_t score) {
  const auto size = static_cast<std::int64_t>(count);
  const std::int64_t pairs = size * (size - 1) / 2;
  const std::int64_t least = std::abs(score);
  if (count <= kMostExact) {
    // With equal values the score may lie between two possible scores: the smaller one counts.
    return chance_of_inversions(count, static_cast<std::size_t>((pairs - least + 1) / 2));
  }
  const auto n = static_cast<double>(count);
  const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  return std::erfc(static_cast<double>(least - 1) / deviation / std::numbers::sqrt2) / 2;
}

}  // namespace

Trend kendall_trend(const std::vector<double>& values) {
  Trend trend;
  if (values.size() < 2) {
    return trend;
  }
  std::vector<double> slopes;
  slopes.reserve(values.size() * (values.size() - 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      const double rise = values[j] - values[i];
      trend.score += rise > 0 ? 1 : rise < 0 ? -1 : 0;
      slopes.push_back(rise / static_cast<double>(j - i));
    }
  }
  trend.p = trend.score == 0 ? 1 : chance_of_score(values.size(), trend.score);
  const double middle = median(values);
  const double change = median(std::move(slopes)) * static_cast<double>(values.size() - 1);
  trend.change_ratio = middle == 0 ? 0 : change / std::abs(middle);
  return trend;
}

}  // namespace tune::stats
