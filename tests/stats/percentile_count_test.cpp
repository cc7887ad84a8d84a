#include "stats/percentile_count.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {
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
}  // namespace tune::stats
