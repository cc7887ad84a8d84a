#pragma once

#include "machine.h"
#include "script.h"
#include "simulated_grid.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::simulation {

/// A scenario over a grid of real knobs (batch_size, intra_op_threads, optimizer_impl and
/// channels_last, at most 4 x 4 x 3 x 2) and the machine on which the rate of every cell is known.
struct KnownGrid {
  std::string scenario;  ///< YAML
  fake::Script script;
  double best_rate = 0;  ///< samples/s of the best cell, without noise
};

/// Rates as in `grid`, around 300 samples/s. `search` is the scenario's section, without braces:
/// "strategy: grid, confirm: 1". The seed is that of the order of trials and of the noise.
KnownGrid known_grid(const search::SimulatedGrid& grid,
                     const noise::Environment& environment,
                     std::uint64_t seed,
                     const std::string& search,
                     const std::string& measure = "warmup: 2s, rounds: 3, slices: 5");

}  // namespace tune::simulation
