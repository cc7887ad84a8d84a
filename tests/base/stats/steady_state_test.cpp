#include "base/stats/steady_state.h"

#include "known_series.h"
#include "step_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tune::stats {

namespace {

// The reference series begin with the steps to be judged.
SteadyState judge(const std::vector<double>& series) {
  return find_steady_state(series, {.discarded_steps = 0});
}

bool warns_of(const SteadyState& state, const std::string& word) {
  return std::any_of(state.warnings.begin(), state.warnings.end(), [&](const std::string& warning) {
    return warning.starts_with(word);
  });
}

}  // namespace

// Reference values, computed twice (NumPy).
TEST(FindSteadyState, AgreesWithReferenceSeries) {
  struct Reference {
    const std::vector<double>& series;
    std::size_t cut;
    double sigma;
    std::optional<double> guard;
    SteadyReason reason;
  };
  for (const Reference& expected :
       {Reference{known::kFlatWithSpikes, 0, .00946, .0005, SteadyReason::steady},
        Reference{known::kCliff, 6, .01040, .0035, SteadyReason::steady},
        Reference{known::kPlateau, 22, .00614, .0045, SteadyReason::steady},
        Reference{known::kLateShift, 50, .00837, std::nullopt, SteadyReason::tail},
        Reference{known::kDrift, 35, .00793, .0240, SteadyReason::guard}}) {
    const SteadyState found = judge(expected.series);
    EXPECT_EQ(found.cut_steps, expected.cut);
    EXPECT_NEAR(found.sigma_ratio, expected.sigma, 5e-6);
    ASSERT_EQ(found.guard_ratio.has_value(), expected.guard.has_value());
    EXPECT_NEAR(found.guard_ratio.value_or(0), expected.guard.value_or(0), 5e-5);
    EXPECT_EQ(found.reason, expected.reason);
    EXPECT_TRUE(found.is_weak) << "60 steps are fewer than 200";
  }
}

TEST(FindSteadyState, CountsTheDiscardedStepsAndTheirTime) {
  std::vector<double> series = {9e6, 5e6, 2e6};
  series.insert(series.end(), known::kCliff.begin(), known::kCliff.end());
  const SteadyState found = find_steady_state(series);
  EXPECT_EQ(found.cut_steps, 9U);
  EXPECT_EQ(found.time_to_steady_ns, 16e6 + 2594 + 2618 + 1397 + 1399 + 1404 + 1390);
  EXPECT_EQ(found.points, 60U);
}

TEST(FindSteadyState, OfTooFewStepsSaysSo) {
  for (const std::size_t steps : {0U, 2U, 12U}) {
    const SteadyState found = find_steady_state(std::vector<double>(steps, 1e6));
    EXPECT_EQ(found.reason, SteadyReason::too_few) << steps;
    EXPECT_TRUE(warns_of(found, "too few steps"));
  }
  EXPECT_TRUE(find_steady_state(std::vector<double>(13, 1e6)).is_steady());
  EXPECT_EQ(find_steady_state(std::vector<double>(13, 1e6), {.steps_per_slice = 3}).reason,
            SteadyReason::too_few);
}

TEST(FindSteadyState, WantsFiveSlicesOfTail) {
  EXPECT_TRUE(find_steady_state(known::kPlateau, {.discarded_steps = 0, .steps_per_slice = 7})
                  .is_steady());  // 38 steps after the plateau hold 5 slices of 7
  EXPECT_EQ(find_steady_state(known::kPlateau, {.discarded_steps = 0, .steps_per_slice = 8}).reason,
            SteadyReason::tail);
}

TEST(FindSteadyState, WarnsWhereTheTailIsSlowerThanWhatWasCut) {
  const noise::SeriesSetting hot{.shape = noise::SeriesShape::thermal, .steps = 400, .sd = 0.005};
  const SteadyState found = find_steady_state(noise::draw_step_times(hot, 1));
  ASSERT_TRUE(found.is_steady());
  EXPECT_TRUE(warns_of(found, "slowdown: steady steps take"));
  EXPECT_FALSE(warns_of(judge(known::kPlateau), "slowdown"));
}

TEST(FindSteadyState, IsWeakWhereTheNoiseIsLargeForSoFewSteps) {
  const noise::SeriesSetting calm{.steps = 203, .sd = 0.005};
  EXPECT_FALSE(find_steady_state(noise::draw_step_times(calm, 1)).is_weak);
  const noise::SeriesSetting noisy{.steps = 203, .sd = 0.02};
  const SteadyState found = find_steady_state(noise::draw_step_times(noisy, 1));
  EXPECT_TRUE(found.is_weak);
  EXPECT_TRUE(warns_of(found, "weak: saw 200 points of"));
}

TEST(FindSteadyState, OfManyStepsLooksAtSums) {
  noise::SeriesSetting plateau{.shape = noise::SeriesShape::plateau, .steps = 4303, .sd = 0.005};
  const SteadyState found = find_steady_state(noise::draw_step_times(plateau, 1));
  EXPECT_TRUE(found.is_steady());
  EXPECT_EQ(found.steps_per_point, 2U);
  EXPECT_EQ(found.points, 2150U);  // of the 4,300 steps after the discarded ones
  EXPECT_GE(found.cut_steps, 40U);
  EXPECT_LE(found.cut_steps, 40U + 2 * 5);
}

TEST(FindSteadyStateDeathTest, WithATimeOfZeroIsOurBug) {
  EXPECT_DEATH(find_steady_state({1, 2, 0}), "our bug");
}

TEST(SteadyGuard, ComparesTheLastThirdWithTheFirst) {
  std::vector<double> rising;
  for (int i = 0; i < 24; ++i) {
    rising.push_back(i < 8 ? 100 : i < 16 ? 105 : 110);
  }
  EXPECT_NEAR(*steady_guard_ratio(rising), std::log(1.1), 1e-12);
  EXPECT_FALSE(steady_guard_ratio(std::vector<double>(23, 1.0)).has_value());
}

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
