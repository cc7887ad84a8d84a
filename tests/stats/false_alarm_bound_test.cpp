#include "stats/false_alarm_bound.h"

#include <gtest/gtest.h>

namespace tune::stats {

TEST(FalseAlarmBound, WithoutAlarmsIsTheRuleOfThree) {
  EXPECT_NEAR(false_alarm_bound(0, 40), .072, .0005);
  EXPECT_NEAR(false_alarm_bound(0, 60), .049, .0005);
  EXPECT_NEAR(false_alarm_bound(0, 300), .0099, .00005);
  EXPECT_NEAR(false_alarm_bound(0, 3000), .0010, .00005);
  EXPECT_NEAR(false_alarm_bound(0, 1), .95, 1e-12);
}

// Reference values: exact binomial sums in Python's fractions, bisected.
TEST(FalseAlarmBound, WithAlarmsIsTheExactBinomialOne) {
  EXPECT_NEAR(false_alarm_bound(1, 40), 0.11318836094473754, 1e-9);
  EXPECT_NEAR(false_alarm_bound(3, 20), 0.3436638043142818, 1e-9);
  EXPECT_NEAR(false_alarm_bound(2, 1000, 0.99), 0.008379068264742162, 1e-9);
}

TEST(FalseAlarmBound, OfNothingOrOfAlarmsOnlyIsOne) {
  EXPECT_EQ(false_alarm_bound(0, 0), 1);
  EXPECT_EQ(false_alarm_bound(4, 4), 1);
}

}  // namespace tune::stats
