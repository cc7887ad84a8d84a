#include "base/stats/counts.h"

#include <gtest/gtest.h>

namespace tune::stats {

// Reference values: hypergeometric sums in Python's fractions.
TEST(FisherExact, AgreesWithReferenceTables) {
  EXPECT_NEAR(fisher_exact({3, 4}, {1, 4}), 0.48571428571428571, 1e-12);  // the lady tasting tea
  EXPECT_NEAR(fisher_exact({8, 10}, {1, 6}), 0.03496503496503497, 1e-12);
  EXPECT_NEAR(fisher_exact({12, 120}, {1, 120}), 0.0026756987014076973, 1e-14);
}

TEST(FisherExact, OfEqualSidesIsOne) {
  EXPECT_EQ(fisher_exact({0, 50}, {0, 50}), 1);
  EXPECT_EQ(fisher_exact({50, 50}, {50, 50}), 1);
  EXPECT_NEAR(fisher_exact({5, 50}, {5, 50}), 1, 1e-12);
  EXPECT_EQ(fisher_exact({0, 0}, {3, 50}), 1);
}

TEST(FisherExact, DoesNotDependOnTheOrderOfSides) {
  EXPECT_NEAR(fisher_exact({2, 30}, {9, 25}), fisher_exact({9, 25}, {2, 30}), 1e-12);
  EXPECT_NEAR(fisher_exact({2, 30}, {9, 25}), fisher_exact({28, 30}, {16, 25}), 1e-12);
}

TEST(FisherExact, StaysFiniteForThousands) {
  EXPECT_LT(fisher_exact({3000, 5000}, {1000, 5000}), 1e-100);
  EXPECT_GT(fisher_exact({1000, 5000}, {1010, 5000}), 0.5);
}

TEST(FisherExactDeathTest, OfMoreHitsThanThingsIsOurBug) {
  EXPECT_DEATH(fisher_exact({5, 4}, {1, 4}), "our bug");
}

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
