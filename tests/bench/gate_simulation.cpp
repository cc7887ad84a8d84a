// The gate on simulated machines, in full: gate_simulation [A/A runs, default 20000]. The short
// version, with its limits, is tests/base/stats/gate_simulation_test.cpp.

#include "base/stats/detectable_effect.h"
#include "base/stats/signed_rank.h"
#include "simulated_gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using tune::noise::GateSetting;
using tune::noise::GateShares;
using tune::noise::RateRule;
using tune::noise::simulate_gates;
using tune::noise::simulate_pairs;
using tune::stats::GateVerdict;

namespace {

constexpr RateRule kRules[] = {RateRule::sum, RateRule::sum_without_spikes, RateRule::median};

tune::stats::EffectLimits budget(double ratio) {
  return {.min_effect_ratio = 0.01, .budget_ratio = ratio};
}

double share_of(std::size_t runs, const std::function<bool(std::uint64_t)>& happens) {
  std::size_t count = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    count += happens(seed) ? 1U : 0U;
  }
  return static_cast<double>(count) / static_cast<double>(runs);
}

void print_environments(RateRule rule, std::size_t runs) {
  std::printf("\n## Rate of a process: %s (%zu A/A runs, %zu others; seeds 1, 2, ...)\n\n",
              to_string(rule),
              runs,
              runs / 5);
  std::printf("REGRESSED %% / INCONCLUSIVE %% / mean pairs\n\n");
  std::printf(
      "| environment, budget | A/A | +2 %% | +3 %% | +5 %% | +7 %% |\n|---|---|---|---|---|---|\n");
  for (const double ratio : {0.03, 0.05}) {
    for (const auto& environment : tune::noise::all_environments()) {
      std::printf("| %s, %.0f %% |", environment.name.c_str(), ratio * 100);
      for (const double effect : {0.0, 0.02, 0.03, 0.05, 0.07}) {
        const GateShares shares = simulate_gates({.environment = environment,
                                                  .effect_ratio = effect,
                                                  .limits = budget(ratio),
                                                  .rate = rule},
                                                 effect == 0 ? runs : runs / 5);
        std::printf(" %.2f / %.1f / %.1f |",
                    shares.regressed * 100,
                    shares.inconclusive * 100,
                    shares.mean_pairs);
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  }
}

void print_one_process_a_side(std::size_t runs) {
  std::printf("\n## One process a side, 20 interleaved slices: REGRESSED, budget 3 %%\n\n");
  for (const auto& environment : tune::noise::all_environments()) {
    const GateSetting setting{.environment = environment, .limits = budget(0.03)};
    std::printf("- %s: %.2f %%\n",
                environment.name.c_str(),
                100 * share_of(runs, [&](auto seed) {
                  return gate_on_two_processes(setting, 20, seed) == GateVerdict::regressed;
                }));
  }
}

void print_position_effect(std::size_t runs) {
  std::printf(
      "\n## The second process of each pair is 4 %% slower: REGRESSED / INCONCLUSIVE, 3 %%\n\n");
  for (const auto& environment : tune::noise::all_environments()) {
    GateSetting setting{
        .environment = environment, .limits = budget(0.03), .second_log_ratio = std::log(1.04)};
    const GateShares blocks = simulate_gates(setting, runs);
    setting.ordering = tune::noise::Ordering::always_baseline_first;
    const GateShares fixed = simulate_gates(setting, runs);
    std::printf("- %s: ABBA %.2f / %.1f %%, always the baseline first %.2f / %.1f %%\n",
                environment.name.c_str(),
                blocks.regressed * 100,
                blocks.inconclusive * 100,
                fixed.regressed * 100,
                fixed.inconclusive * 100);
  }
}

void print_many_rows(std::size_t runs) {
  std::printf("\n## Any of four A/A rows REGRESSED, budget 3 %%; and with m = b = 0\n\n");
  for (const auto& environment : tune::noise::all_environments()) {
    GateSetting setting{.environment = environment, .limits = budget(0.03)};
    const auto any = [&](auto seed) { return any_row_regressed(setting, 4, seed); };
    const double usual = share_of(runs, any);
    setting.limits = {.min_effect_ratio = 0, .budget_ratio = 0};
    std::printf("- %s: %.2f %%; %.2f %%\n",
                environment.name.c_str(),
                usual * 100,
                share_of(runs, any) * 100);
  }
}

void print_looks(std::size_t runs) {
  std::printf(
      "\n## A/A with m = b = 0: flagged either way by three looks / after every pair from 8 "
      "on\n\n");
  std::vector<std::size_t> every;
  for (std::size_t n = 8; n <= 24; ++n) {
    every.push_back(n);
  }
  for (const auto& environment : tune::noise::all_environments()) {
    const auto flagged = [&](const std::vector<std::size_t>& looks, double level) {
      return share_of(runs, [&](std::uint64_t seed) {
        const auto all = simulate_pairs({.environment = environment}, 24, seed);
        for (const std::size_t n : looks) {
          const auto bounds = tune::stats::location_bounds(
              {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)}, level);
          if (bounds.lower > 0 || bounds.upper < 0) {
            return true;
          }
        }
        return false;
      });
    };
    std::printf("- %s: %.2f %% / %.2f %%\n",
                environment.name.c_str(),
                flagged({10, 16, 24}, .005 / 3) * 100,
                flagged(every, .005) * 100);
  }
}

// The effect that 90 % of fresh campaigns find, from one long A/A run; then from runs of 40 pairs.
void print_mde() {
  std::printf(
      "\n## MDE90 from 2,000 A/A pairs; from 40 pairs: 5th to 95th percentile of 100 runs\n\n");
  const auto looks = tune::stats::make_looks(tune::stats::kGateAlpha, 1);
  for (const auto& environment : tune::noise::all_environments()) {
    const auto mde = [&](const std::vector<double>& pairs, std::size_t repeats) {
      return minimum_detectable_effect(pairs, looks, 0.01, {.repeats = repeats}).effect_ratio;
    };
    std::vector<double> all;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      const auto some = simulate_pairs({.environment = environment}, 4, 7000 + seed);
      all.insert(all.end(), some.begin(), some.end());
    }
    std::vector<double> estimates;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      estimates.push_back(mde(simulate_pairs({.environment = environment}, 40, seed), 500));
    }
    std::sort(estimates.begin(), estimates.end());
    std::printf("- %s: %.2f %%; %.2f to %.2f %%\n",
                environment.name.c_str(),
                mde(all, 5000) * 100,
                estimates[5] * 100,
                estimates[94] * 100);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long wanted = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 20000;
  const auto runs = static_cast<std::size_t>(std::max(5L, wanted));
  for (const RateRule rule : kRules) {
    print_environments(rule, runs);
  }
  print_one_process_a_side(runs);
  print_position_effect(runs / 5);
  print_many_rows(runs / 5);
  print_looks(runs);
  print_mde();
}
