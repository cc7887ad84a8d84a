#include "base/stats/detectable_effect.h"

#include "base/stats/signed_rank.h"
#include "machine.h"
#include "simulated_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tune::stats {

// The generator is fixed by the standard, the mapping by us: equal on every machine.
TEST(UniformIndex, IsTheSameEverywhere) {
  std::mt19937_64 bits(1);
  std::mt19937_64 same(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(uniform_index(bits, 10), same() % 10);
  }
}

TEST(UniformIndex, ReachesEveryIndexAboutEquallyOften) {
  std::mt19937_64 bits(2);
  std::vector<int> seen(7);
  for (int i = 0; i < 70000; ++i) {
    ++seen[uniform_index(bits, 7)];
  }
  for (const int times : seen) {
    EXPECT_NEAR(times, 10000, 400);
  }
  EXPECT_EQ(uniform_index(bits, 1), 0U);
}

namespace {

std::vector<double> normal_differences(std::size_t n, double sd) {
  noise::RandomStream random(11);
  std::vector<double> differences(n);
  for (double& difference : differences) {
    difference = sd * random.normal();
  }
  return differences;
}

LookSchedule first_looks(std::size_t looks) {
  LookSchedule schedule = make_looks(kGateAlpha, 1);
  schedule.alpha *= static_cast<double>(looks) / 3;  // alpha / 3 per look, as always
  schedule.pairs.resize(looks);
  return schedule;
}

// How often fresh campaigns of the same machine find a slowdown.
double power_at(double effect_ratio, const noise::GateSetting& setting, std::size_t runs) {
  const LookSchedule looks = make_looks(kGateAlpha, 1);
  std::size_t found = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<double> all = simulate_pairs(setting, 24, 90000 + run);
    bool reached = false;
    for (const std::int64_t pairs : looks.pairs) {
      const std::vector<double> seen(all.begin(), all.begin() + pairs);
      const double lower = location_bounds(seen, looks.alpha_per_look()).lower;
      reached = reached || lower + std::log1p(effect_ratio) > std::log1p(0.01);
    }
    found += reached ? 1U : 0U;
  }
  return static_cast<double>(found) / static_cast<double>(runs);
}

}  // namespace

// Simulated once with another implementation; normal noise, smallest effect 1 %.
TEST(MinimumDetectableEffect, OfNormalNoiseIsTheTabulatedOne) {
  struct Cell {
    double sd, ten, sixteen, twenty_four;
  };
  for (const Cell& cell : {Cell{.003, .017, .014, .013}, Cell{.02, .058, .036, .030}}) {
    const std::vector<double> noise = normal_differences(300, cell.sd);
    const auto mde = [&](std::size_t looks) {
      return minimum_detectable_effect(noise, first_looks(looks), 0.01, {.repeats = 300})
          .effect_ratio;
    };
    EXPECT_NEAR(mde(1), cell.ten, 0.12 * cell.ten);
    EXPECT_NEAR(mde(2), cell.sixteen, 0.12 * cell.sixteen);
    EXPECT_NEAR(mde(3), cell.twenty_four, 0.12 * cell.twenty_four);
  }
}

TEST(MinimumDetectableEffect, FromFortyPairsIsNearTheTruth) {
  for (const noise::Environment& environment : {noise::quiet(), noise::shared()}) {
    const noise::GateSetting setting{.environment = environment};
    const MinimumDetectableEffect found = minimum_detectable_effect(
        simulate_pairs(setting, 40, 5), make_looks(kGateAlpha, 1), 0.01, {.repeats = 500});
    const double below = std::expm1(std::log1p(found.effect_ratio) / 1.25);
    const double above = found.effect_ratio * 1.25;
    EXPECT_LE(power_at(below, setting, 200), 0.9) << environment.name << found.effect_ratio;
    EXPECT_GE(power_at(above, setting, 200), 0.9) << environment.name << found.effect_ratio;
    EXPECT_EQ(found.warning, "");
  }
}

TEST(MinimumDetectableEffect, IsTheSameForTheSameSeed) {
  const std::vector<double> noise = normal_differences(40, 0.01);
  const auto mde = [&](std::uint64_t seed) {
    return minimum_detectable_effect(
               noise, make_looks(kGateAlpha, 1), 0.01, {.repeats = 200, .seed = seed})
        .effect_ratio;
  };
  EXPECT_EQ(mde(1), mde(1));
  EXPECT_NE(mde(1), mde(2));
}

TEST(MinimumDetectableEffect, DoesNotCountAnOffsetOfTheRunAsNoise) {
  std::vector<double> noise = normal_differences(40, 0.01);
  const auto mde = [&] {
    return minimum_detectable_effect(noise, make_looks(kGateAlpha, 1), 0.01, {.repeats = 200})
        .effect_ratio;
  };
  const double before = mde();
  for (double& difference : noise) {
    difference += 0.5;
  }
  EXPECT_NEAR(mde(), before, 1e-9);
}

TEST(MinimumDetectableEffect, FromFewPairsWarns) {
  const MinimumDetectableEffect found = minimum_detectable_effect(
      {0.01, -0.01, 0.02}, make_looks(kGateAlpha, 1), 0.01, {.repeats = 50});
  EXPECT_EQ(found.warning, "from only 3 A/A pairs");
  EXPECT_EQ(found.pairs, 3U);
}

TEST(DetectionChance, IsAboutTwoThirdsAtTheBudgetAndNearlyOneAboveIt) {
  const std::vector<double> noise = normal_differences(500, 0.005);
  const EffectLimits limits{.min_effect_ratio = 0.01, .budget_ratio = 0.03};
  const Resampling runs{.repeats = 400};
  const DetectionChance none = detection_chance(noise, limits, 0, runs);
  EXPECT_EQ(none.regressed, 0);
  EXPECT_EQ(none.inconclusive, 0);
  const DetectionChance at = detection_chance(noise, limits, 0.03, runs);
  EXPECT_GT(at.regressed, 0.55);
  EXPECT_LT(at.regressed, 0.78);
  EXPECT_GT(at.inconclusive, 0.2);
  EXPECT_GE(detection_chance(noise, limits, 0.05, runs).regressed, 0.99);
}

}  // namespace tune::stats
