#include "base/saturated_sum.h"

#include <gtest/gtest.h>

namespace {

TEST(SaturatedSum, StopsAtWhatInt64Has) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(tune::saturated_sum(2, -5), -3);
  EXPECT_EQ(tune::saturated_sum(kMost, kLeast), -1);
  EXPECT_EQ(tune::saturated_sum(kMost - 1, 1), kMost);
  EXPECT_EQ(tune::saturated_sum(kMost, 1), kMost);
  EXPECT_EQ(tune::saturated_sum(kLeast, -1), -kMost) << "the least number stands for unknown";
}

}  // namespace
