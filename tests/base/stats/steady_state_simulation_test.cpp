#include "base/stats/quantile.h"
#include "base/stats/steady_state.h"
#include "step_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {

namespace {

struct Shares {
  double steady = 0;
  double bias = 0;  // mean of ln(median after the cut / true level) of the steady ones
};

Shares judge_many(const noise::SeriesSetting& setting, std::size_t runs) {
  std::size_t steady = 0;
  double bias = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<double> times = noise::draw_step_times(setting, run + 1);
    const SteadyState found = find_steady_state(times, {.discarded_steps = 0});
    if (found.is_steady()) {
      ++steady;
      bias += std::log(median({times.begin() + static_cast<std::ptrdiff_t>(found.cut_steps),
                               times.end()}) /
                       noise::kSteadyStep_ns) -
              noise::final_level(setting);
    }
  }
  return {.steady = static_cast<double>(steady) / static_cast<double>(runs),
          .bias = steady == 0 ? 0 : bias / static_cast<double>(steady)};
}

}  // namespace

TEST(SteadyStateSimulation, FlatSeriesAreAccepted) {
  for (const double sd : {0.005, 0.01}) {
    EXPECT_GE(judge_many({.sd = sd}, 60).steady, 0.99) << sd;
  }
}

// At 200 steps and 1 % it takes thousands of series to see one that passes; from 250 on none did.
TEST(SteadyStateSimulation, ADriftIsNotAccepted) {
  constexpr noise::SeriesShape kDrift = noise::SeriesShape::drift;
  EXPECT_EQ(judge_many({.shape = kDrift, .steps = 200, .sd = 0.005}, 50).steady, 0);
  EXPECT_LE(judge_many({.shape = kDrift, .steps = 200, .sd = 0.01}, 50).steady, 0.02);
  EXPECT_EQ(judge_many({.shape = kDrift, .steps = 250, .sd = 0.01}, 50).steady, 0);
}

TEST(SteadyStateSimulation, WhatIsLeftAfterTheCutIsUnbiased) {
  using noise::SeriesShape;
  for (const SeriesShape shape : {SeriesShape::flat,
                                  SeriesShape::cliff,
                                  SeriesShape::plateau,
                                  SeriesShape::fading,
                                  SeriesShape::thermal,
                                  SeriesShape::late_shift}) {
    const Shares shares = judge_many({.shape = shape, .steps = 400, .sd = 0.01}, 12);
    EXPECT_GE(shares.steady, 0.9) << to_string(shape);
    EXPECT_LE(std::abs(shares.bias), 0.002) << to_string(shape);
  }
}

}  // namespace tune::stats
