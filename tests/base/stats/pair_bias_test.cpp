#include "base/stats/pair_bias.h"

#include "machine.h"

#include <gtest/gtest.h>

#include <cmath>

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
  EXPECT_TRUE(slower.warning.ends_with(" % slower next to the candidate: not its code"));
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

namespace {

constexpr PairOrder kAB = PairOrder::baseline_first, kBA = PairOrder::candidate_first;

}  // namespace

TEST(PositionEffect, IsFoundWhateverTheCandidateDoes) {
  const double second = std::log(1.04);
  for (const double candidate : {0.0, 0.1, -0.2}) {
    const std::vector<PairOrder> orders = {kAB, kBA, kBA, kAB};
    std::vector<double> differences;
    for (const PairOrder order : orders) {
      differences.push_back(candidate + (order == kAB ? second : -second));
    }
    const PositionEffect effect = position_effect(differences, orders);
    EXPECT_EQ(effect.blocks, 2U);
    EXPECT_NEAR(effect.log_ratio, second, 1e-12);
    EXPECT_TRUE(effect.is_large);
    EXPECT_EQ(effect.warning, "the second process of a pair is 4.0 % slower");
  }
}

TEST(PositionEffect, HasAnIntervalFromSixBlocksOn) {
  noise::RandomStream random(3);
  std::vector<double> differences;
  std::vector<PairOrder> orders;
  for (int pair = 0; pair < 24; ++pair) {
    orders.push_back(pair % 2 == 0 ? kAB : kBA);
    differences.push_back(0.05 + (pair % 2 == 0 ? -0.01 : 0.01) + 0.002 * random.normal());
  }
  const PositionEffect effect = position_effect(differences, orders);
  EXPECT_EQ(effect.blocks, 12U);
  EXPECT_LT(effect.lower, -0.01);
  EXPECT_GT(effect.upper, -0.01);
  EXPECT_LT(effect.upper, 0);
  EXPECT_FALSE(effect.is_large);
  EXPECT_EQ(effect.warning, "");
}

TEST(PositionEffect, WithoutBothOrdersIsUnknown) {
  const PositionEffect effect = position_effect({0.1, 0.1}, {kAB, kAB});
  EXPECT_EQ(effect.blocks, 0U);
  EXPECT_FALSE(effect.is_large);
  EXPECT_EQ(position_effect({}, {}).blocks, 0U);
}

}  // namespace tune::stats
