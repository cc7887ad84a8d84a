// Whole guided campaigns on grids whose optimum is known and whose knobs depend on one another.

#include "campaign_figures.h"
#include "known_grid.h"
#include "measure/campaign/summarise.h"
#include "repeats.h"
#include "run_campaign.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::simulation {
namespace {

constexpr double kGood = 0.95;

const std::vector<std::vector<std::size_t>>& shapes() {
  static const std::vector<std::vector<std::size_t>> all = {
      {3, 2, 2, 2}, {3, 3, 2, 2}, {4, 3, 2, 2}, {4, 4, 2, 2}};  // 24, 36, 48, 64 cells
  return all;
}

std::size_t cells_of(const std::vector<std::size_t>& shape) {
  std::size_t cells = 1;
  for (const std::size_t levels : shape) {
    cells *= levels;
  }
  return cells;
}

struct Shares {
  double good = 0;        ///< of campaigns whose pick reaches 95 % of the best cell
  double cheap = 0;       ///< that measured for at most a quarter of the seconds of all cells
  double one_by_one = 0;  ///< in which changing one knob at a time would have been good
};

// What is left of the best rate when every knob is set to what is best alone, without any noise.
double quality_of_one_by_one(const search::SimulatedGrid& grid) {
  const auto& cells = grid.space.cells;
  std::vector<std::size_t> chosen(grid.space.axes.size(), 0);
  const auto rate_of = [&](const std::vector<std::size_t>& cell) {
    const auto found = std::find(cells.begin(), cells.end(), cell);
    return grid.log_rate[static_cast<std::size_t>(found - cells.begin())];
  };
  for (std::size_t axis = 0; axis < chosen.size(); ++axis) {
    std::vector<std::size_t> cell(chosen.size(), 0);
    double best = rate_of(cell);
    for (std::size_t level = 1; level < grid.space.axes[axis].values.size(); ++level) {
      cell[axis] = level;
      if (rate_of(cell) > best) {
        best = rate_of(cell);
        chosen[axis] = level;
      }
    }
  }
  const auto found = std::find(cells.begin(), cells.end(), chosen);
  return grid.quality(static_cast<std::size_t>(found - cells.begin()));
}

Shares search_all(const std::string& family,
                  const noise::Environment& environment,
                  std::size_t seeds = repeats(10)) {
  Shares shares;
  const double one = 1 / static_cast<double>(seeds * shapes().size());
  for (const auto& shape : shapes()) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const search::SimulatedGrid grid =
          search::simulated_grid(family, shape, seed * 1000 + cells_of(shape));
      const KnownGrid known = known_grid(grid, environment, seed, "strategy: guided, confirm: 3");
      fake::InProcessWorker worker(known.script);
      const campaign::CampaignResult result = run_campaign(known.scenario, worker);
      EXPECT_EQ(result.plan.cells.size(), grid.space.cells.size());
      EXPECT_EQ(exit_code(result), ExitCode::fine);
      shares.good += quality_of_pick(known, result) >= kGood ? one : 0;
      shares.cheap += measured_share(result) <= 0.25 ? one : 0;
      shares.one_by_one += quality_of_one_by_one(grid) >= kGood ? one : 0;
    }
  }
  return shares;
}

void expect_good(const Shares& shares) {
  EXPECT_GE(shares.good, 0.95);
  EXPECT_GE(shares.cheap, 0.95);
  EXPECT_LT(shares.one_by_one, 0.95) << "one knob at a time would do: these grids prove nothing";
}

TEST(GuidedSearch, FindsTheBestOfKnobsThatDependOnOneAnother) {
  expect_good(search_all("pairs", noise::quiet()));
}

TEST(GuidedSearch, FindsTheBestOnAMachineThatDrifts) {
  expect_good(search_all("pairs", noise::drifting()));
}

// With the four shapes 20 grids at least: one of them may be missed.
const std::size_t kPipelineSeeds = std::max<std::size_t>(5, repeats(10));

TEST(GuidedSearch, FindsTheBestOfAPipeline) {
  expect_good(search_all("pipeline", noise::bimodal(noise::quiet()), kPipelineSeeds));
}

TEST(GuidedSearch, FindsTheBestThoughOthersUseTheMachine) {
  expect_good(search_all("pipeline", noise::shared(), kPipelineSeeds));
}

}  // namespace
}  // namespace tune::simulation
