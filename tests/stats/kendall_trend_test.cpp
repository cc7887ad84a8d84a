#include "stats/kendall_trend.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tune::stats {
namespace {

TEST(KendallTrend, AgreesWithTheTableOfExactChances) {
  EXPECT_DOUBLE_EQ(kendall_trend({1, 2, 3, 4}).p, 1.0 / 24);
  EXPECT_DOUBLE_EQ(kendall_trend({4, 3, 2, 1}).p, 1.0 / 24);
  EXPECT_DOUBLE_EQ(kendall_trend({1, 2, 4, 3}).p, 4.0 / 24);
  EXPECT_DOUBLE_EQ(kendall_trend({1, 2, 3, 4, 5}).p, 1.0 / 120);
  const Trend ten = kendall_trend({5, 4, 3, 2, 1, 6, 7, 8, 9, 10});  // ten pairs of 45 fall
  EXPECT_EQ(ten.score, 25);
  EXPECT_NEAR(ten.p, .014, 5e-4);  // Hollander and Wolfe, table A.30
}

TEST(KendallTrend, FollowsTheSlopeThatMostPairsHave) {
  const Trend trend = kendall_trend({100, 101, 102, 103, 140});
  EXPECT_NEAR(trend.change_ratio, 4 / 102.0, 1e-12) << "one wild value does not bend it";
  EXPECT_LT(kendall_trend({104, 103, 102, 101, 100}).change_ratio, 0);
}

TEST(KendallTrend, WhatDoesNotMoveHasNone) {
  for (const auto& values : {std::vector<double>{}, {7}, {7, 7, 7, 7, 7, 7}, {0, 0, 0}}) {
    const Trend trend = kendall_trend(values);
    EXPECT_EQ(trend.score, 0);
    EXPECT_EQ(trend.p, 1);
    EXPECT_EQ(trend.change_ratio, 0);
  }
}

TEST(KendallTrend, EqualValuesMakeItConservative) {
  EXPECT_GT(kendall_trend({1, 2, 2, 3, 4}).p, kendall_trend({1, 2, 3, 4, 5}).p);
}

TEST(KendallTrend, LongSeriesGoOnWhereTheExactOnesEnd) {
  std::vector<double> values(30);
  std::iota(values.begin(), values.end(), 0);
  std::swap_ranges(values.begin(), values.begin() + 14, values.begin() + 16);
  const double exact = kendall_trend(values).p;
  values.push_back(14.5);  // as good as in the middle: adds nothing to the score but one value
  const double normal = kendall_trend(values).p;
  EXPECT_GT(exact, 0.05);
  EXPECT_LT(exact, 0.4);
  EXPECT_NEAR(normal / exact, 1, 0.1);
}

TEST(KendallTrend, ShufflesShowATrendAsOftenAsItSays) {
  std::mt19937_64 random(5);
  std::vector<double> values = {1, 2, 3, 4, 5, 6};
  int called = 0;
  constexpr int kShuffles = 20'000;
  for (int i = 0; i < kShuffles; ++i) {
    for (std::size_t last = values.size() - 1; last > 0; --last) {
      std::swap(values[last], values[random() % (last + 1)]);
    }
    called += kendall_trend(values).p <= 0.01 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(called) / kShuffles, 2 * 6.0 / 720, 0.003);  // either way
}

}  // namespace
}  // namespace tune::stats
