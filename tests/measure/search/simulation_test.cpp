// The search on grids of which the truth is known. A short version of
// tests/bench/search_simulation.

#include "simulated_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tune::search {

namespace {

struct Result {
  int good = 0, runs = 0;
  double most_share = 0;
};

Result search_all(const std::string& family, const noise::Environment& environment, int seeds) {
  Result result;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    const SimulatedGrid grid = simulated_grid(family, {4, 3, 2, 2}, number);
    const Policy policy{.seed = number};
    const SearchRun run = run_search(grid, environment, policy);
    result.good += grid.quality(run.pick) >= 0.95 ? 1 : 0;
    ++result.runs;
    result.most_share =
        std::max(result.most_share, static_cast<double>(run.slices) / whole_slices(grid, policy));
  }
  return result;
}

}  // namespace

TEST(Simulation, FindsTheBestOfAPipelineForAQuarterOfTheSeconds) {
  for (const auto& environment : {noise::quiet(), noise::drifting()}) {
    const Result result = search_all("pipeline", environment, 3);
    EXPECT_EQ(result.good, result.runs) << environment.name;
    EXPECT_LE(result.most_share, 0.25) << environment.name;
  }
}

TEST(Simulation, FindsTheBestOfInteractingKnobs) {
  const Result result = search_all("pairs", noise::quiet(), 3);
  EXPECT_EQ(result.good, result.runs);
  EXPECT_LE(result.most_share, 0.25);
}

// Proposals of rules are a prior of the order: wrong ones cost a few trials, never the answer.
TEST(Simulation, FindsTheBestAlsoWhereTheWorstCellsAreFavoured) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SimulatedGrid grid = simulated_grid("pipeline", {4, 3, 2, 2}, seed);
    std::vector<std::size_t> cells(grid.space.cells.size() - 1);
    std::iota(cells.begin(), cells.end(), std::size_t{1});
    std::sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) {
      return grid.log_rate[a] < grid.log_rate[b];
    });
    grid.space.favoured = {cells[0], cells[1], cells[2]};
    const SearchRun run = run_search(grid, noise::quiet(), {.seed = seed});
    EXPECT_GE(grid.quality(run.pick), 0.95) << seed;
  }
}

TEST(Simulation, AShortSearchAmongManyKnobsPicksThoseThatMatter) {
  std::size_t idle = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const SimulatedGrid grid = simulated_grid("sparse", {3, 3, 2, 2, 2, 2, 2}, seed);
    const SearchRun run = run_search(grid, noise::quiet(), {.seed = seed, .wanted = 2}, 40);
    EXPECT_GE(grid.quality(run.pick), 0.95) << seed;
    idle += grid.quality(0) < 0.95 ? grid.idle_changes(run.pick) : 0;
  }
  EXPECT_LE(idle, 4);
}

TEST(Simulation, SpendsNoMoreOnEqualCells) {
  const Result result = search_all("equal", noise::shared(), 1);
  EXPECT_EQ(result.good, result.runs);
  EXPECT_LE(result.most_share, 0.25);
}

}  // namespace tune::search
