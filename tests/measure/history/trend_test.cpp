#include "measure/history/trend.h"

#include "random_stream.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::history {
namespace {

std::vector<Point> points_of(const std::vector<double>& values) {
  std::vector<Point> points;
  for (const double value : values) {
    Point point;
    point.id = static_cast<std::int64_t>(points.size()) + 1;
    point.value = value;
    points.push_back(point);
  }
  return points;
}

// Rates around 100 whose logarithms have this standard deviation.
std::vector<double> rates(std::size_t n, double deviation, std::uint64_t seed) {
  noise::RandomStream random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(100 * std::exp(deviation * random.normal()));
  }
  return values;
}

void raise_from(std::vector<double>& values, std::size_t at, double factor) {
  for (std::size_t i = at; i < values.size(); ++i) {
    values[i] *= factor;
  }
}

TEST(Trend, FindsAStepWithItsSizeAndPlace) {
  std::vector<double> values = rates(40, 0.01, 1);
  raise_from(values, 25, 0.9);
  const Trend trend = trend_of(points_of(values));
  ASSERT_EQ(trend.changes.size(), 1U);
  EXPECT_EQ(trend.changes[0].at, 25U);
  EXPECT_NEAR(trend.changes[0].ratio(), -0.1, 0.01);
  ASSERT_EQ(trend.levels.size(), 2U);
  EXPECT_EQ(trend.levels[0].first, 0U);
  EXPECT_EQ(trend.levels[0].end, 25U);
  EXPECT_EQ(trend.levels[1].end, 40U);
  EXPECT_NEAR(trend.levels[0].value, 100, 1);
  EXPECT_NEAR(trend.levels[1].value, 90, 1);
}

TEST(Trend, FindsSeveralSteps) {
  std::vector<double> values = rates(60, 0.01, 2);
  raise_from(values, 20, 1.1);
  raise_from(values, 40, 1.1);
  EXPECT_EQ(trend_of(points_of(values)).changes.size(), 2U);
}

TEST(Trend, SeldomSeesAChangeWhereThereIsNone) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    seen += trend_of(points_of(rates(30, 0.03, seed))).changes.empty() ? 0 : 1;
  }
  EXPECT_LE(seen, 8);
}

TEST(Trend, ASpikeIsNoLevel) {
  std::vector<double> values = rates(40, 0.01, 3);
  values[20] = 30;
  EXPECT_TRUE(trend_of(points_of(values)).changes.empty());
}

TEST(Trend, LevelsThatDifferByLessThanAPercentAreOne) {
  std::vector<double> values = rates(60, 0.0005, 4);
  raise_from(values, 30, 1.008);
  EXPECT_TRUE(trend_of(points_of(values)).changes.empty());
  raise_from(values, 30, 1.008);
  EXPECT_EQ(trend_of(points_of(values)).changes.size(), 1U);
}

TEST(Trend, FewRunsAreOneLevel) {
  EXPECT_TRUE(trend_of({}).levels.empty());
  const Trend trend = trend_of(points_of({100, 100, 50, 50, 50, 50}));
  ASSERT_EQ(trend.levels.size(), 1U);
  EXPECT_EQ(trend.levels[0].value, 50);
  EXPECT_EQ(trend.levels[0].end, 6U);
}

TEST(Trend, ValuesThatHaveNoLogarithmAreOneLevel) {
  std::vector<double> values(20, 0.5);
  values[3] = 0;
  EXPECT_EQ(trend_of(points_of(values)).levels.size(), 1U);
}

TEST(Trend, EqualValuesAreOneLevel) {
  EXPECT_EQ(trend_of(points_of(std::vector<double>(50, 100))).levels.size(), 1U);
}

TEST(Trend, NamesWhatElseChangedBetweenTheLevels) {
  std::vector<double> values = rates(20, 0.005, 5);
  raise_from(values, 10, 1.2);
  std::vector<Point> points = points_of(values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].torch_version = i < 10 ? "2.10.0" : "2.11.0";
    points[i].commit = i < 10 ? "" : "c";  // not known is not another one
    points[i].worker_sha256 = "w";
  }
  const Trend trend = trend_of(points);
  ASSERT_EQ(trend.changes.size(), 1U);
  EXPECT_EQ(trend.changes[0].causes, std::vector<std::string>{"LibTorch 2.10.0 -> 2.11.0"});
}

TEST(Trend, KnowsWhichWayAMetricCounts) {
  EXPECT_TRUE(is_higher_better("throughput"));
  EXPECT_TRUE(is_higher_better("delta_throughput"));
  EXPECT_TRUE(is_higher_better("gain"));
  EXPECT_FALSE(is_higher_better("epoch_time"));
  EXPECT_FALSE(is_higher_better("delta_peak_memory_bytes"));
}

}  // namespace
}  // namespace tune::history
