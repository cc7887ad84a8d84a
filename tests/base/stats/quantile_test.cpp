#include "base/stats/quantile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {

TEST(Median, IsTheMiddleSampleOfAnOddCountInAnyOrder) {
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({5}), 5);
}

TEST(Median, IsTheMeanOfTheTwoMiddleSamplesOfAnEvenCount) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Median, IsNotMovedByOneWildSample) {
  EXPECT_EQ(median({1, 2, 3, 4, 1e12}), 3);
}

TEST(MedianDeathTest, OfNothingIsOurBug) {
  EXPECT_DEATH(median({}), "our bug");
}

// Expected values: numpy.quantile of NumPy 2 with its default method.
TEST(Quantile, AgreesWithNumPy) {
  const std::vector<double> samples = {15, 20, 35, 40, 50};
  EXPECT_DOUBLE_EQ(quantile(samples, 0.05), 16);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.30), 23);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.40), 29);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.95), 48);
}

TEST(Quantile, OfZeroAndOneAreTheExtremes) {
  EXPECT_EQ(quantile({3, 1, 2}, 0), 1);
  EXPECT_EQ(quantile({3, 1, 2}, 1), 3);
}

TEST(Quantile, OfOneSampleIsThatSample) {
  EXPECT_EQ(quantile({7}, 0.9), 7);
}

namespace {

TEST(PercentileCount, IsTheFewestSamplesThatReachBeyondThePercentile) {
  EXPECT_EQ(least_percentile_count(0.5), 5);
  EXPECT_EQ(least_percentile_count(0.9), 29);
  EXPECT_EQ(least_percentile_count(0.99), 299);
  for (const double ratio : {0.5, 0.75, 0.9, 0.95, 0.99, 0.999}) {
    const auto count = static_cast<double>(least_percentile_count(ratio));
    EXPECT_LE(std::pow(ratio, count), 0.05) << ratio;
    EXPECT_GT(std::pow(ratio, count - 1), 0.05) << ratio;
  }
}

TEST(PercentileCount, IsTheSameForBothEnds) {
  EXPECT_EQ(least_percentile_count(0.01), least_percentile_count(0.99));
}

}  // namespace

TEST(RobustDeviation, IsTheScaledMedianDistanceFromTheMedian) {
  EXPECT_DOUBLE_EQ(robust_deviation({1, 1, 2, 2, 4, 6, 9}), 1.4826);
  EXPECT_EQ(robust_deviation({7}), 0);
}

TEST(StandardErrorOfMedian, FallsWithTheRootOfTheCount) {
  // 1.4826 * 1 * sqrt(pi / 2 / 3)
  EXPECT_NEAR(standard_error_of_median({1, 2, 3}), 1.0728, 1e-4);
  EXPECT_EQ(standard_error_of_median({7}), 0);
}

TEST(RobustDeviation, IsNotMovedByOneWildSample) {
  EXPECT_EQ(robust_deviation({1, 2, 3, 4, 1e12}), robust_deviation({1, 2, 3, 4, 5}));
}

}  // namespace tune::stats
