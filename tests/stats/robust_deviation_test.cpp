#include "stats/robust_deviation.h"

#include <gtest/gtest.h>

namespace tune::stats {

TEST(RobustDeviation, IsTheScaledMedianDistanceFromTheMedian) {
  EXPECT_DOUBLE_EQ(robust_deviation({1, 1, 2, 2, 4, 6, 9}), 1.4826);
  EXPECT_EQ(robust_deviation({7}), 0);
}

TEST(RobustDeviation, IsNotMovedByOneWildSample) {
  EXPECT_EQ(robust_deviation({1, 2, 3, 4, 1e12}), robust_deviation({1, 2, 3, 4, 5}));
}

}  // namespace tune::stats
