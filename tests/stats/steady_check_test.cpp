#include "stats/steady_check.h"

#include "step_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {
namespace {

using noise::SeriesShape;

double share_that_fails(SeriesShape shape, std::size_t steps, double sd) {
  constexpr int kSeries = 1'000;
  int failed = 0;
  for (int seed = 0; seed < kSeries; ++seed) {
    const auto times = noise::draw_step_times({.shape = shape, .steps = steps, .sd = sd},
                                              static_cast<std::uint64_t>(seed));
    failed += check_steady(times).holds() ? 0 : 1;
  }
  return static_cast<double>(failed) / kSeries;
}

TEST(SteadyCheck, FewSteadyTrialsFailHoweverShortAndNoisyTheyAre) {
  for (const std::size_t steps : {24U, 36U, 60U, 200U}) {
    for (const double sd : {.003, .01, .03, .1}) {
      EXPECT_LE(share_that_fails(SeriesShape::flat, steps, sd), 0.02) << steps << " " << sd;
    }
  }
}

TEST(SteadyCheck, StepsThatStillSlowDownFail) {
  EXPECT_GE(share_that_fails(SeriesShape::drift, 200, .005), 0.99);
  EXPECT_GE(share_that_fails(SeriesShape::fading, 48, .005), 0.99);
}

TEST(SteadyCheck, TooFewStepsHaveNoGuardAndAreWeak) {
  const SteadyCheck few = check_steady(std::vector<double>(23, 1e6));
  EXPECT_FALSE(few.guard_ratio);
  EXPECT_TRUE(few.holds());
  EXPECT_TRUE(few.is_weak());
  EXPECT_TRUE(check_steady({}).is_weak());
  EXPECT_TRUE(check_steady({}).holds());
}

TEST(SteadyCheck, TheResolutionRuleSaysHowManyStepsAreEnough) {
  EXPECT_FALSE(check_steady(noise::draw_step_times({.steps = 200, .sd = .005}, 1)).is_weak());
  const SteadyCheck noisy = check_steady(noise::draw_step_times({.steps = 400, .sd = .02}, 1));
  EXPECT_TRUE(noisy.is_weak());
  EXPECT_NEAR(
      static_cast<double>(noisy.steps_to_trust), 200 * std::pow(noisy.sigma_ratio / .01, 2), 1);
}

}  // namespace
}  // namespace tune::stats
