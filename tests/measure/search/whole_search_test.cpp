#include "measure/search/next_decision.h"
#include "small_space.h"

#include <gtest/gtest.h>

#include <map>

namespace tune::search {

namespace {

std::vector<Measurement> run(const Space& space, const Policy& policy) {
  std::vector<Measurement> trials;
  for (Decision now = next_decision(space, trials, policy); now.next;
       now = next_decision(space, trials, policy)) {
    const std::size_t cell = now.next->pending.front();
    trials.push_back({.cell = cell,
                      .block = now.next->number,
                      .slices = now.next->slices,
                      .score = static_cast<double>(cell) * 0.1});
  }
  return trials;
}

}  // namespace

TEST(GridSearch, MeasuresEveryCellInEveryRoundInFull) {
  const Policy policy{.strategy = Strategy::grid, .rounds = 2, .slices = 5};
  std::map<std::pair<std::int64_t, std::size_t>, int> count;
  for (const Measurement& trial : run(product({3, 2}), policy)) {
    ++count[{trial.block, trial.cell}];
    EXPECT_EQ(trial.slices, 5);
  }
  EXPECT_EQ(count.size(), 12U);
}

TEST(GridSearch, IsWhatGuidedDoesToSmallGrids) {
  const Space space = product({3, 2});
  const auto grid = run(space, {.strategy = Strategy::grid});
  const auto guided = run(space, {.strategy = Strategy::guided});
  EXPECT_EQ(grid.size(), guided.size());
}

TEST(GridSearch, RanksByTheGainOverTheBaselineOfTheSameBlock) {
  const Space space = product({3});
  const Policy policy{.strategy = Strategy::grid, .rounds = 2};
  // Block 1 ran on a machine twice as fast, and only for cell 1 it has begun.
  const Decision decision = next_decision(space,
                                          {completed(0, 0, 1.0),
                                           completed(1, 0, 1.1),
                                           completed(2, 0, 1.2),
                                           completed(0, 1, 1.7),
                                           completed(1, 1, 1.8)},
                                          policy);
  EXPECT_EQ(decision.candidates, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(decision.next->pending, (std::vector<std::size_t>{2}));
}

TEST(GridSearch, ComparesABlockWithoutABaselineThroughItsOtherCells) {
  const Policy policy{.strategy = Strategy::grid, .rounds = 2};
  const Decision decision = next_decision(product({3}),
                                          {completed(0, 0, 1.0),
                                           completed(1, 0, 1.1),
                                           completed(2, 0, 1.2),
                                           completed(1, 1, 1.95),
                                           completed(2, 1, 1.9)},
                                          policy);
  EXPECT_EQ(decision.candidates, (std::vector<std::size_t>{2, 1}));
}

TEST(GridSearch, LeavesOutACandidateThatWasBehindTheLeaderInEveryBlock) {
  const Policy policy{.strategy = Strategy::grid, .rounds = 2};
  const Decision decision = next_decision(product({3}),
                                          {completed(0, 0, 1.0),
                                           completed(1, 0, 1.1),
                                           completed(2, 0, 1.2),
                                           completed(0, 1, 1.0),
                                           completed(1, 1, 1.11),
                                           completed(2, 1, 1.19)},
                                          policy);
  EXPECT_EQ(decision.candidates, (std::vector<std::size_t>{2}));
}

TEST(GridSearch, LeavesOutWhatIsGivenUp) {
  const Space space = product({3});
  const Policy policy{.strategy = Strategy::grid, .rounds = 2};
  const Decision decision = next_decision(
      space, {completed(0, 0, 1), ended(1, 0, Ending::failed), completed(2, 0, 1.2)}, policy);
  EXPECT_EQ(decision.next->cells, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(reason(decision, 1), "its trials failed");
}

TEST(RandomSearch, RepeatsNoCellBeforeAllHaveRun) {
  const Space space = product({5, 5});
  const auto trials = run(space, {.strategy = Strategy::random, .seed = 4, .rounds = 2});
  std::map<std::size_t, int> count;
  std::size_t others = 0;
  for (const Measurement& trial : trials) {
    others += trial.cell != 0 ? 1 : 0;
    if (trial.cell != 0) {
      EXPECT_EQ(++count[trial.cell], others <= 24 ? 1 : 2);
    }
  }
  EXPECT_EQ(others, 48U);
}

TEST(RandomSearch, HasAnotherOrderForAnotherSeed) {
  const Space space = product({5, 5});
  const auto first = [&](std::uint64_t seed) {
    return next_decision(space, {}, {.strategy = Strategy::random, .seed = seed}).next->cells;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

}  // namespace tune::search
