#include "base/stats/signed_rank.h"
#include "simulated_gate.h"

#include <gtest/gtest.h>

#include <cmath>

// Checks what the gate promises, on machines with known noise. The long versions, with 20,000
// verdicts per cell, are in tests/bench.
namespace tune::noise {

namespace {

constexpr std::size_t kRuns = 500;
constexpr stats::EffectLimits kThreePercent{.min_effect_ratio = 0.01, .budget_ratio = 0.03};
constexpr stats::EffectLimits kFivePercent{.min_effect_ratio = 0.01, .budget_ratio = 0.05};

template <class Happens>
double share_of(std::size_t runs, Happens happens) {
  std::size_t count = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    count += happens(run + 1) ? 1U : 0U;
  }
  return static_cast<double>(count) / static_cast<double>(runs);
}

}  // namespace

TEST(SimulatedGate, NeverFlagsEqualSidesInAnyEnvironment) {
  for (const Environment& environment : all_environments()) {
    const GateShares shares =
        simulate_gates({.environment = environment, .limits = kThreePercent}, kRuns / 2);
    EXPECT_EQ(shares.regressed, 0) << environment.name;
    EXPECT_EQ(shares.improved, 0) << environment.name;
  }
}

TEST(SimulatedGate, SeldomLeavesEqualSidesOpen) {
  EXPECT_LE(simulate_gates({.environment = quiet(), .limits = kThreePercent}, kRuns).inconclusive,
            0.05);
  EXPECT_LE(simulate_gates({.environment = shared(), .limits = kFivePercent}, kRuns).inconclusive,
            0.15);
}

TEST(SimulatedGate, FindsARealSlowdown) {
  EXPECT_GE(simulate_gates({.environment = quiet(), .effect_ratio = 0.05, .limits = kThreePercent},
                           kRuns / 2)
                .regressed,
            0.99);
  EXPECT_GE(simulate_gates({.environment = shared(), .effect_ratio = 0.07, .limits = kFivePercent},
                           kRuns / 2)
                .regressed,
            0.95);
}

// Without this the two tests above would prove little.
TEST(SimulatedGate, WouldBeFooledByOneProcessASide) {
  const GateSetting setting{.environment = shared(), .limits = kThreePercent};
  EXPECT_GE(share_of(kRuns,
                     [&](std::size_t seed) {
                       return gate_on_two_processes(setting, 20, seed) ==
                              stats::GateVerdict::regressed;
                     }),
            0.03);
}

TEST(SimulatedGate, IsNotFooledByThePositionWhereAFixedOrderIs) {
  GateSetting setting{
      .environment = quiet(), .limits = kThreePercent, .second_log_ratio = std::log(1.04)};
  const GateShares blocks = simulate_gates(setting, kRuns / 2);
  EXPECT_EQ(blocks.regressed, 0);
  EXPECT_GE(blocks.inconclusive, 0.9);
  setting.ordering = Ordering::always_baseline_first;
  EXPECT_GE(simulate_gates(setting, kRuns / 2).regressed, 0.93);
}

TEST(SimulatedGate, OfFourRowsSeldomFlagsAny) {
  const GateSetting setting{.environment = drifting(), .limits = kThreePercent};
  EXPECT_LE(
      share_of(kRuns / 4, [&](std::size_t seed) { return any_row_regressed(setting, 4, seed); }),
      0.01);
}

TEST(SimulatedGate, WouldCryWolfIfItLookedAfterEveryPair) {
  const GateSetting setting{.environment = quiet()};
  const auto flags = [&](std::size_t seed, const std::vector<std::size_t>& looks, double level) {
    const std::vector<double> all = simulate_pairs(setting, 24, seed);
    for (const std::size_t n : looks) {
      const auto bounds = stats::location_bounds(
          {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)}, level);
      if (bounds.lower > 0 || bounds.upper < 0) {
        return true;
      }
    }
    return false;
  };
  std::vector<std::size_t> every;
  for (std::size_t n = 8; n <= 24; ++n) {
    every.push_back(n);
  }
  const double three = share_of(kRuns, [&](std::size_t seed) {
    return flags(seed, {10, 16, 24}, .005 / 3);
  });
  const double all =
      share_of(kRuns / 2, [&](std::size_t seed) { return flags(seed, every, .005); });
  EXPECT_LE(three, 0.02);
  EXPECT_GE(all, 0.02);
}

TEST(SimulatedGate, GivesTheSameVerdictForTheSameSeed) {
  const GateSetting setting{.environment = shared(), .limits = kThreePercent};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(simulate_gate(setting, seed).verdict, simulate_gate(setting, seed).verdict);
  }
}

}  // namespace tune::noise
