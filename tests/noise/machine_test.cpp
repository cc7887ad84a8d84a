#include "machine.h"

#include "base/stats/variance_components.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::noise {

TEST(Machine, HasTheNoiseOfItsEnvironment) {
  Environment still = shared();
  still.drift_sd = 0;
  still.spike_chance = 0;
  Machine machine(still, 3);
  std::vector<std::vector<double>> slices(1000);
  for (std::vector<double>& process : slices) {
    machine.start_process();
    for (int slice = 0; slice < 5; ++slice) {
      process.push_back(machine.next_slice());
    }
  }
  const auto found = stats::variance_components(slices);
  EXPECT_NEAR(found.slice_sd, still.slice_sd, 0.001);
  EXPECT_NEAR(found.process_sd, still.process_sd, 0.001);
}

TEST(Machine, DriftsOverAllProcesses) {
  Machine machine({.drift_sd = 0.03, .drift_rho = 0.97}, 5);
  double before = 0, together = 0, squares = 0;
  for (int slice = 0; slice < 20000; ++slice) {
    if (slice % 5 == 0) {
      machine.start_process();
    }
    const double now = machine.next_slice();
    together += before * now;
    squares += now * now;
    before = now;
  }
  EXPECT_NEAR(std::sqrt(squares / 20000), 0.03, 0.004);
  EXPECT_NEAR(together / squares, 0.97, 0.01);
}

TEST(Machine, WarmsUpInEveryProcess) {
  Machine machine({.transient = -0.04}, 1);
  for (int process = 0; process < 2; ++process) {
    machine.start_process(0);
    EXPECT_NEAR(machine.next_slice(30), -0.04, 1e-12);
    EXPECT_NEAR(machine.next_slice(30), -0.04 / std::exp(1.0), 1e-12);
  }
  machine.start_process();
  EXPECT_GT(machine.next_slice(), -0.001) << "warm-up took the transient";
}

}  // namespace tune::noise
