#include "base/stats/number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {

TEST(Number, OfOneSampleHasNoIntervalAndSaysWhy) {
  const Number number = number_of_samples({3});
  EXPECT_EQ(number.value, 3);
  EXPECT_FALSE(number.lower || number.upper || number.confidence);
  EXPECT_EQ(number.reason, "one sample has no interval");
}

TEST(Number, OfSixSamplesHasTheIntervalOfTheSignTest) {
  const Number number = number_of_samples({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(number.value, 3.5);
  EXPECT_EQ(number.lower, 1);
  EXPECT_EQ(number.upper, 6);
  EXPECT_EQ(number.confidence, 0.96875);
  EXPECT_EQ(number.n, 6);
  EXPECT_EQ(number.reason, "");
}

TEST(Number, OfGainsIsARatioLessOne) {
  const Number gain = gain_of_samples({std::log(1.25), std::log(1.25)});
  EXPECT_DOUBLE_EQ(gain.value.value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(gain.lower.value_or(0), 0.25);
  EXPECT_FALSE(gain_of_samples({0.1}).lower.has_value());
}

}  // namespace tune::stats
