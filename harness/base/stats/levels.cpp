#include "base/stats/levels.h"

#include "base/assert.h"
#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tune::stats {

namespace {

constexpr std::size_t kHalfWindow = 10;
constexpr double kLimit = 4;
constexpr double kSmallest = 1e-9;  // where most values of a window are equal

}  // namespace

std::vector<double> winsorize(const std::vector<double>& values) {
  std::vector<double> limited;
  limited.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i - std::min(i, kHalfWindow);
    const std::size_t last = std::min(values.size() - 1, i + kHalfWindow);
    const std::vector<double> window(values.begin() + static_cast<std::ptrdiff_t>(first),
                                     values.begin() + static_cast<std::ptrdiff_t>(last + 1));
    const double middle = median(window);
    const double reach = kLimit * (robust_deviation(window) + kSmallest);
    limited.push_back(std::clamp(values[i], middle - reach, middle + reach));
  }
  return limited;
}

namespace {

constexpr double kSmallestVariance = 1e-10;
// Rounding must not drop a start that is as good as the best one.
constexpr double kPruningSlack = 1e-6;
constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

// A place where the last segment may begin.
struct Start {
  std::size_t at = 0;
  std::size_t useless_from = kNever;  // the first end for which it need no longer be tried
};

}  // namespace

SegmentCost::SegmentCost(const std::vector<double>& values)
    : sums_(values.size() + 1), squares_(values.size() + 1) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    // The first value is subtracted: the variance is a small difference of two sums.
    const double value = values[i] - values.front();
    sums_[i + 1] = sums_[i] + value;
    squares_[i + 1] = squares_[i] + value * value;
  }
}

double SegmentCost::operator()(std::size_t first, std::size_t end) const {
  const auto length = static_cast<double>(end - first);
  const double mean = (sums_[end] - sums_[first]) / length;
  const double variance = std::max(0.0, (squares_[end] - squares_[first]) / length - mean * mean);
  const double used = std::max(variance, kSmallestVariance);
  return length * (std::log(2 * std::numbers::pi * used) + variance / used);
}

Segmentation segment_by_level(const std::vector<double>& values, double penalty) {
  const std::size_t n = values.size();
  TUNE_ASSERT(n >= kShortestSegment);
  TUNE_ASSERT(penalty >= 0);
  const SegmentCost cost(values);
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begins(n + 1, 0);
  best[0] = -penalty;
  std::vector<Start> starts = {{0}};
  std::vector<double> totals;
  for (std::size_t end = kShortestSegment; end <= n; ++end) {
    if (end >= 2 * kShortestSegment) {
      starts.push_back({end - kShortestSegment});
    }
    std::erase_if(starts, [end](const Start& start) { return start.useless_from <= end; });
    totals.clear();
    for (const Start& start : starts) {
      totals.push_back(best[start.at] + cost(start.at, end));
      if (totals.back() + penalty < best[end]) {
        best[end] = totals.back() + penalty;
        begins[end] = start.at;
      }
    }
    // A start that is no better than cutting here stays no better, but a segment that begins here
    // can only end kShortestSegment later: until then the start is still needed.
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (starts[i].useless_from == kNever && totals[i] > best[end] + kPruningSlack) {
        starts[i].useless_from = end + kShortestSegment;
      }
    }
  }
  Segmentation found;
  found.cost = best[n];
  for (std::size_t end = n; end > 0; end = begins[end]) {
    found.ends.push_back(end);
  }
  std::reverse(found.ends.begin(), found.ends.end());
  return found;
}

}  // namespace tune::stats
