#include "base/stats/variance_components.h"

#include "machine.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::stats {

// Worked by hand: means 2, 5, 11; within 2 + 2 + 8 = 12 over 6; between 3 * (16 + 1 + 25) / 2.
TEST(VarianceComponents, OfASmallExampleAreTheHandComputedOnes) {
  const VarianceComponents found = variance_components({{1, 2, 3}, {4, 5, 6}, {9, 11, 13}, {}});
  EXPECT_NEAR(found.slice_sd * found.slice_sd, 2, 1e-12);
  EXPECT_NEAR(found.process_sd * found.process_sd, (63 - 2.0) / 3, 1e-12);
  // Neighbours' products are 0; 3 processes * (2 / 3) * variance 2 over 12.
  EXPECT_NEAR(found.lag1_autocorrelation, 4.0 / 12, 1e-12);
  EXPECT_EQ(found.processes, 3U);
  EXPECT_EQ(found.slices, 9U);
  EXPECT_EQ(found.warning, "from only 3 processes");
}

TEST(VarianceComponents, OfASimulatedMachineAreNearItsOwn) {
  noise::RandomStream random(21);
  for (const double rho : {0.0, 0.4}) {
    std::vector<std::vector<double>> rates;
    for (std::size_t process = 0; process < 2000; ++process) {
      const double offset = 0.007 * random.normal();
      double noise = 0.01 * random.normal();
      std::vector<double> slices;
      for (std::size_t slice = 0; slice < 4 + process % 3; ++slice) {
        noise = rho * noise + 0.01 * std::sqrt(1 - rho * rho) * random.normal();
        slices.push_back(offset + noise);
      }
      rates.push_back(slices);
    }
    const VarianceComponents found = variance_components(rates);
    if (rho == 0) {
      EXPECT_NEAR(found.process_sd, 0.007, 0.0004);
      EXPECT_NEAR(found.slice_sd, 0.01, 0.0003);
      EXPECT_NEAR(found.lag1_autocorrelation, 0, 0.03);
    } else {
      EXPECT_GT(found.process_sd, 0.0075) << "what slices share counts as the process";
      EXPECT_GT(found.lag1_autocorrelation, 0.15);
    }
    EXPECT_EQ(found.warning, "");
  }
}

TEST(VarianceComponents, OfEqualSlicesAreZero) {
  const VarianceComponents found = variance_components({{1, 1}, {1, 1}});
  EXPECT_EQ(found.slice_sd, 0);
  EXPECT_EQ(found.process_sd, 0);
  EXPECT_EQ(found.lag1_autocorrelation, 0);
}

TEST(BestSlices, WeighCostAgainstNoise) {
  const VarianceComponents found{.process_sd = 0.01, .slice_sd = 0.02};
  EXPECT_EQ(best_slices(found, {.process_s = 9, .slice_s = 1}), 6U);
  EXPECT_EQ(best_slices(found, {.process_s = 0.01, .slice_s = 1}), 1U);
  EXPECT_FALSE(best_slices({.slice_sd = 0.02}, {.process_s = 9, .slice_s = 1}).has_value());
}

TEST(VarianceComponentsDeathTest, OfOneProcessIsOurBug) {
  EXPECT_DEATH(variance_components({{1, 2, 3}}), "our bug");
}

}  // namespace tune::stats
