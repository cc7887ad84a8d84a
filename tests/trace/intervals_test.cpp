#include "trace/intervals.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace tune::profile {
namespace {

constexpr int kPoints = 60;
using Points = std::array<bool, kPoints>;  // point i is [i, i + 1)

Points points_of(const std::vector<Interval>& intervals) {
  Points points{};
  for (const Interval& interval : intervals) {
    for (auto i = interval.begin_ns; i < interval.end_ns; ++i) {
      points[static_cast<std::size_t>(i)] = true;
    }
  }
  return points;
}

std::vector<Interval> some_intervals(std::mt19937_64& bits) {
  std::vector<Interval> intervals;
  for (std::uint64_t count = bits() % 9; count > 0; --count) {
    const auto begin = static_cast<std::int64_t>(bits() % kPoints);
    intervals.push_back(
        {begin, std::min<std::int64_t>(kPoints, begin + static_cast<std::int64_t>(bits() % 12))});
  }
  return intervals;
}

void expect_set(const Intervals& set) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    EXPECT_LT(set[i].begin_ns, set[i].end_ns);
    if (i > 0) {
      EXPECT_LT(set[i - 1].end_ns, set[i].begin_ns);
    }
  }
}

TEST(Intervals, AgreeWithSetsOfPoints) {
  std::mt19937_64 bits(1);
  for (int round = 0; round < 3000; ++round) {
    const auto first = some_intervals(bits);
    const auto second = some_intervals(bits);
    const Intervals a = unite(first);
    const Intervals b = unite(second);
    expect_set(a);
    ASSERT_EQ(points_of(a), points_of(first));
    const Points in_a = points_of(a);
    const Points in_b = points_of(b);
    Points both{};
    Points only_a{};
    Points any{};
    for (std::size_t i = 0; i < kPoints; ++i) {
      both[i] = in_a[i] && in_b[i];
      only_a[i] = in_a[i] && !in_b[i];
      any[i] = in_a[i] || in_b[i];
    }
    ASSERT_EQ(points_of(intersect(a, b)), both);
    ASSERT_EQ(points_of(subtract(a, b)), only_a);
    ASSERT_EQ(points_of(unite(a, b)), any);
    expect_set(subtract(a, b));
    expect_set(intersect(a, b));
    ASSERT_EQ(length_ns(a), std::count(in_a.begin(), in_a.end(), true));
  }
}

TEST(Intervals, LengthsWithinPartsThatTouchAddUp) {
  const Intervals set = {{2, 12}, {15, 17}, {30, 31}};
  EXPECT_EQ(lengths_within(set, {{0, 5}, {5, 10}, {10, 16}, {40, 50}}),
            (std::vector<std::int64_t>{3, 5, 3, 0}));
}

}  // namespace
}  // namespace tune::profile
