#include "stats/median.h"

#include <gtest/gtest.h>

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

}  // namespace tune::stats
