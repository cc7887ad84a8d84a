#include "stats/environment_shift.h"

#include "machine.h"

#include <gtest/gtest.h>

namespace tune::stats {

namespace {

constexpr double kLevel = .005 / 3;

std::vector<double> sentinel(double shift, std::uint64_t seed) {
  noise::RandomStream random(seed);
  std::vector<double> differences(10);
  for (double& difference : differences) {
    difference = shift + 0.007 * random.normal();
  }
  return differences;
}

}  // namespace

TEST(EnvironmentShift, IsRaisedWhereTheSentinelMovesByThreePercent) {
  const EnvironmentShift slower = environment_shift(sentinel(0.03, 1), kLevel);
  EXPECT_TRUE(slower.is_shifted);
  EXPECT_TRUE(slower.warning.starts_with("the machine ran 3."));
  EXPECT_TRUE(slower.warning.ends_with(" % slower beside the candidate: not its code"));
  EXPECT_TRUE(environment_shift(sentinel(-0.03, 1), kLevel).is_shifted);
}

TEST(EnvironmentShift, IsNotRaisedWhereNothingMoved) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    EXPECT_FALSE(environment_shift(sentinel(0, seed), kLevel).is_shifted) << seed;
  }
}

TEST(EnvironmentShift, IsNotRaisedByTooFewPairs) {
  EXPECT_FALSE(environment_shift({0.5, 0.5, 0.5}, kLevel).is_shifted);
}

}  // namespace tune::stats
