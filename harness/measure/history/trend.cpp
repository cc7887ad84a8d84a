#include "measure/history/trend.h"

#include "base/stats/levels.h"
#include "base/stats/quantile.h"

#include <algorithm>
#include <cmath>

namespace tune::history {

namespace {

constexpr double kPenalty = 7;
constexpr double kSmallestStep = 0.01;  // on the log scale
constexpr std::size_t kShownDigits = 12;

std::vector<double> values_of(const std::vector<Point>& points, const Level& level) {
  std::vector<double> values;
  values.reserve(level.end - level.first);
  for (std::size_t i = level.first; i < level.end; ++i) {
    values.push_back(points[i].value);
  }
  return values;
}

Level level_of(const std::vector<Point>& points, std::size_t first, std::size_t end) {
  Level level{.first = first, .end = end};
  level.value = stats::median(values_of(points, level));
  return level;
}

// The logarithms of a level's values less that of its median.
void add_distances(const std::vector<Point>& points,
                   const Level& level,
                   std::vector<double>& distances) {
  for (std::size_t i = level.first; i < level.end; ++i) {
    distances.push_back(std::log(points[i].value / level.value));
  }
}

bool are_alike(const std::vector<Point>& points, const Level& a, const Level& b) {
  std::vector<double> distances;
  add_distances(points, a, distances);
  add_distances(points, b, distances);
  const double noise = stats::robust_deviation(distances);
  return std::fabs(std::log(b.value / a.value)) <= std::max(kSmallestStep, noise);
}

std::vector<Level> cut(const std::vector<Point>& points) {
  std::vector<double> logs =
      stats::winsorize(values_of(points, {.first = 0, .end = points.size()}));
  for (double& value : logs) {
    value = std::log(value);
  }
  const double penalty = kPenalty * std::log(static_cast<double>(logs.size()));
  std::vector<Level> levels;
  std::size_t first = 0;
  for (const std::size_t end : stats::segment_by_level(logs, penalty).ends) {
    levels.push_back(level_of(points, first, end));
    first = end;
  }
  return levels;
}

// A merged level is compared with its neighbours again.
void merge_alike(const std::vector<Point>& points, std::vector<Level>& levels) {
  std::size_t i = 0;
  while (i + 1 < levels.size()) {
    if (!are_alike(points, levels[i], levels[i + 1])) {
      ++i;
      continue;
    }
    levels[i] = level_of(points, levels[i].first, levels[i + 1].end);
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(i + 1));
    if (i > 0) {
      --i;
    }
  }
}

void add_cause(const std::string& what,
               const std::string& then,
               const std::string& now,
               std::vector<std::string>& causes) {
  if (!then.empty() && !now.empty() && then != now) {
    causes.push_back(what + " " + then.substr(0, kShownDigits) + " -> " +
                     now.substr(0, kShownDigits));
  }
}

Change change_between(const std::vector<Point>& points, const Level& before, const Level& after) {
  Change change{.at = after.first, .before = before.value, .after = after.value};
  const Point& last = points[after.first - 1];
  const Point& first = points[after.first];
  add_cause("tune", last.commit, first.commit, change.causes);
  add_cause("LibTorch", last.torch_version, first.torch_version, change.causes);
  add_cause("worker", last.worker_sha256, first.worker_sha256, change.causes);
  return change;
}

}  // namespace

Trend trend_of(const std::vector<Point>& points) {
  Trend trend;
  if (points.empty()) {
    return trend;
  }
  const bool has_logs =
      std::all_of(points.begin(), points.end(), [](const Point& point) { return point.value > 0; });
  if (!has_logs || points.size() < 2 * stats::kShortestSegment) {
    trend.levels.push_back(level_of(points, 0, points.size()));
    return trend;
  }
  trend.levels = cut(points);
  merge_alike(points, trend.levels);
  for (std::size_t i = 1; i < trend.levels.size(); ++i) {
    trend.changes.push_back(change_between(points, trend.levels[i - 1], trend.levels[i]));
  }
  return trend;
}

bool is_higher_better(std::string_view metric) {
  constexpr std::string_view kDelta = "delta_";
  if (metric.starts_with(kDelta)) {
    metric.remove_prefix(kDelta.size());
  }
  return metric == "throughput" || metric == "best_throughput" || metric == "gain";
}

}  // namespace tune::history
