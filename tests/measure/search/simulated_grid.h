#pragma once

#include "machine.h"
#include "measure/search/next_decision.h"
#include "measure/search/space.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tune::search {

/// A grid of which the truth is known.
struct SimulatedGrid {
  std::string family;
  Space space;
  std::vector<double> log_rate;  ///< per cell

  double quality(std::size_t cell) const;  ///< its rate as a share of the best cell's
  /// Changes that can be taken back, one after another, for less than 1 % of its rate each.
  std::size_t idle_changes(std::size_t cell) const;
};

/// What a grid may be like: "pipeline" (the slower of loader and model decides), "pairs" (strong
/// interactions), "additive", "sparse" (one or two knobs matter), "deceptive" (each knob alone is
/// bad, some together are good), "outlier" (one cell that nothing announces), "equal".
const std::vector<std::string>& families();

/// A random grid of that family with `levels` levels on its axes, e.g. {4, 3, 2, 2}.
SimulatedGrid simulated_grid(const std::string& family,
                             const std::vector<std::size_t>& levels,
                             std::uint64_t seed);

/// A grid from a table: comma-separated, "#" begins a comment, one line of names, the baseline
/// first, the rate in the last column. Throws std::runtime_error.
SimulatedGrid read_table(const std::string& path);

/// Measures cells of a grid; a trial takes a second to start, two to warm up, one a slice.
class SimulatedMachine {
 public:
  SimulatedMachine(const SimulatedGrid& grid, noise::Environment environment, std::uint64_t seed)
      : grid_(grid), machine_(std::move(environment), seed) {}

  /// ln of the rate of one fresh process: all samples over all time.
  double score(std::size_t cell, std::int64_t slices);

 private:
  const SimulatedGrid& grid_;
  noise::Machine machine_;
};

/// What a search did.
struct SearchRun {
  Decision last;
  std::vector<Measurement> measurements;
  std::size_t pick = 0;  ///< what it would confirm first; the baseline where there is nothing
  std::int64_t slices = 0;
  double wall_s = 0;
};

/// Runs the search to its end, each block in random order; at most `most_trials`.
SearchRun run_search(const SimulatedGrid& grid,
                     const noise::Environment& environment,
                     const Policy& policy,
                     std::size_t most_trials = 1'000'000);

/// Slices that measuring every cell in full would take.
double whole_slices(const SimulatedGrid& grid, const Policy& policy);

}  // namespace tune::search
