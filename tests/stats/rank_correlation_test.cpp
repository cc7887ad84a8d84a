#include "stats/rank_correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tune::stats {
namespace {

// By another way: ranks by counting, and the formula for ties from sums of squared differences.
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

}  // namespace
}  // namespace tune::stats
