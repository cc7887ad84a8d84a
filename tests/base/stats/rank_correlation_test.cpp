#include "base/stats/rank_correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace tune::stats {

namespace {

// Computed in another way: ranks by counting, and the formula for ties from sums of squared
// differences.
double by_differences(const std::vector<double>& first, const std::vector<double>& second) {
  const auto rank = [](const std::vector<double>& values, double value) {
    double below = 0, equal = 0;
    for (const double other : values) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    return below + (equal + 1) / 2;
  };
  const auto spread = [](const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    double lost = 0;  // (t^3 - t)/12 of each group of t equal values, shared out among its members
    for (const double value : values) {
      double equal = 0;
      for (const double other : values) {
        equal += other == value ? 1 : 0;
      }
      lost += (equal * equal - 1) / 12;
    }
    return (n * n * n - n) / 12 - lost;
  };
  double differences = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double difference = rank(first, first[i]) - rank(second, second[i]);
    differences += difference * difference;
  }
  const double a = spread(first), b = spread(second);
  return (a + b - differences) / (2 * std::sqrt(a * b));
}

TEST(SpearmanRho, IsThatOfAPublishedExample) {
  // Intelligence and hours of television of ten people: 1 - 6 * 194 / (10 * 99).
  const std::vector<double> intelligence = {106, 86, 100, 101, 99, 103, 97, 113, 112, 110};
  const std::vector<double> hours = {7, 2, 27, 50, 28, 29, 20, 12, 6, 17};
  EXPECT_NEAR(*spearman_rho(intelligence, hours), -29.0 / 165, 1e-12);
}

TEST(SpearmanRho, SharesTheRanksOfEqualValues) {
  EXPECT_NEAR(*spearman_rho({1, 2, 2, 3}, {1, 3, 2, 4}), std::sqrt(0.9), 1e-12);
  EXPECT_NEAR(*spearman_rho({1, 1, 2, 2}, {1, 2, 1, 2}), 0, 1e-12);
  EXPECT_NEAR(*spearman_rho({1, 1, 5, 5}, {0.1, 0.1, 9, 9}), 1, 1e-12);
}

TEST(SpearmanRho, AgreesWithTheFormulaForTies) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> first(3 + random() % 12), second(first.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
      first[k] = static_cast<double>(random() % 6);
      second[k] = static_cast<double>(random() % 6);
    }
    if (const auto rho = spearman_rho(first, second)) {
      EXPECT_NEAR(*rho, by_differences(first, second), 1e-9);
    }
  }
}

TEST(SpearmanRho, LooksAtTheOrderAlone) {
  EXPECT_EQ(spearman_rho({1, 2, 3, 4}, {1, 10, 100, 1000}), 1);
  EXPECT_EQ(spearman_rho({1, 2, 3, 4}, {-1, -10, -100, -1000}), -1);
}

TEST(SpearmanRho, IsNothingWhereThereIsNoOrder) {
  EXPECT_EQ(spearman_rho({}, {}), std::nullopt);
  EXPECT_EQ(spearman_rho({1}, {2}), std::nullopt);
  EXPECT_EQ(spearman_rho({1, 2, 3}, {5, 5, 5}), std::nullopt);
}

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
