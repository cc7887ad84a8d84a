// Steady states of simulated series: steady_state_simulation [runs per cell, default 400]. The
// short version, with its limits, is tests/base/stats/steady_state_simulation_test.cpp.

#include "base/stats/quantile.h"
#include "base/stats/steady_state.h"
#include "step_series.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Cell {
  double steady = 0, weak = 0;  // shares
  double bias = 0;              // mean of ln(median after the cut / true level) of the steady ones
  double median_cut = 0;
};

Cell simulate(const tune::noise::SeriesSetting& setting, std::size_t runs) {
  Cell cell;
  std::vector<double> cuts;
  const double one = 1 / static_cast<double>(runs);
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const std::vector<double> times = draw_step_times(setting, seed);
    const auto found = tune::stats::find_steady_state(times, {.discarded_steps = 0});
    cell.weak += found.is_weak ? one : 0;
    if (found.is_steady()) {
      cell.steady += one;
      const auto tail = times.begin() + static_cast<std::ptrdiff_t>(found.cut_steps);
      cell.bias +=
          one * (std::log(tune::stats::median({tail, times.end()}) / tune::noise::kSteadyStep_ns) -
                 final_level(setting));
      cuts.push_back(static_cast<double>(found.cut_steps));
    }
  }
  if (!cuts.empty()) {
    cell.bias /= cell.steady;
    cell.median_cut = tune::stats::median(cuts);
  }
  return cell;
}

// The number of steps needed to see that 8 % per 200 steps is not a steady state.
void print_drift(std::size_t runs) {
  std::printf("\n## A drift declared steady and not weak, %%, %zu runs a cell\n\n", runs);
  for (const std::size_t steps : {150U, 200U, 225U, 250U, 300U}) {
    for (const double sd : {0.005, 0.01}) {
      std::size_t accepted = 0;
      for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        const auto found = tune::stats::find_steady_state(
            tune::noise::draw_step_times(
                {.shape = tune::noise::SeriesShape::drift, .steps = steps, .sd = sd}, seed),
            {.discarded_steps = 0});
        accepted += found.is_steady() && !found.is_weak ? 1U : 0U;
      }
      std::printf("- %zu steps, %.1f %%: %.2f\n",
                  steps,
                  sd * 100,
                  100 * static_cast<double>(accepted) / static_cast<double>(runs));
    }
  }
}

void print_speed() {
  std::printf("\n## Time for one series of 0.5 %% noise, flat\n\n");
  for (const std::size_t steps : {200U, 1000U, 4096U, 10000U, 100000U}) {
    const auto times = tune::noise::draw_step_times({.steps = steps, .sd = 0.005}, 1);
    const auto before = std::chrono::steady_clock::now();
    const auto found = tune::stats::find_steady_state(times);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    std::printf("- %zu steps: %.1f ms (%s)\n", steps, took.count() * 1e3, to_string(found.reason));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const long wanted = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 400;
  const auto runs = static_cast<std::size_t>(std::max(1L, wanted));
  std::printf("## Declared steady, %% (bias, %% | median cut), %zu runs a cell\n\n| n, sd | weak |",
              runs);
  for (const auto shape : tune::noise::kAllShapes) {
    std::printf(" %s |", to_string(shape));
  }
  std::printf("\n|---|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t steps : {100U, 200U, 400U}) {
    for (const double sd : {0.005, 0.01, 0.02}) {
      std::printf("| %zu, %.1f %% | %.0f |",
                  steps,
                  sd * 100,
                  simulate({.steps = steps, .sd = sd}, runs).weak * 100);
      for (const auto shape : tune::noise::kAllShapes) {
        const Cell cell = simulate({.shape = shape, .steps = steps, .sd = sd}, runs);
        std::printf(
            " %.1f (%+.2f \\| %.0f) |", cell.steady * 100, cell.bias * 100, cell.median_cut);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  print_drift(10 * runs);
  print_speed();
}
