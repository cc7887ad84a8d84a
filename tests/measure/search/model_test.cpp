#include "measure/search/model.h"

#include "small_space.h"

#include <gtest/gtest.h>

namespace tune::search {

namespace {

// Two main effects on a 4 x 4 grid.
double additive(const Space& space, std::size_t cell) {
  return 0.1 * static_cast<double>(space.cells[cell][0]) -
         0.05 * static_cast<double>(space.cells[cell][1]);
}

std::vector<Observation> some_of(const Space& space) {
  std::vector<Observation> observations;
  for (const std::size_t cell : {0U, 1U, 3U, 4U, 6U, 9U, 11U, 12U, 14U}) {
    observations.push_back({.cell = cell, .score = additive(space, cell)});
  }
  return observations;
}

}  // namespace

TEST(Model, PredictsACellThatWasNotMeasuredFromItsKnobs) {
  const Space space = product({4, 4});
  const Model model(space, some_of(space));
  const auto beliefs = model.against(0, {10, 15});
  EXPECT_NEAR(beliefs[0].mean, additive(space, 10), 0.02);
  EXPECT_NEAR(beliefs[1].mean, additive(space, 15), 0.04);
  EXPECT_LT(beliefs[0].sd, 0.05);
}

TEST(Model, KnowsLessAboutCellsFarFromAllTrials) {
  const Space space = product({8});
  const Model model(space, {{.cell = 0, .score = 0}, {.cell = 1, .score = 0.1}});
  const auto beliefs = model.against(0, {1, 2, 7});
  EXPECT_LT(beliefs[0].sd, beliefs[1].sd);
  EXPECT_LT(beliefs[1].sd, beliefs[2].sd);
}

TEST(Model, TakesAShiftOfAWholeBlockForWhatItIs) {
  const Space space = product({4, 4});
  auto observations = some_of(space);
  const std::size_t first = observations.size();
  for (std::size_t i = 0; i < first; ++i) {  // the same cells a second time, 20 % slower
    Observation again = observations[i];
    again.block = 1;
    again.score -= 0.2;
    observations.push_back(again);
  }
  const auto beliefs = Model(space, observations).against(0, {3, 12});
  EXPECT_NEAR(beliefs[0].mean, additive(space, 3), 0.02);
  EXPECT_NEAR(beliefs[1].mean, additive(space, 12), 0.02);
}

TEST(Model, DoubtsAStallAndKeepsTheCellInPlay) {
  const Space space = product({4, 4});
  std::vector<Observation> observations;
  for (std::size_t cell = 0; cell < 16; ++cell) {
    observations.push_back({.cell = cell, .score = additive(space, cell)});
  }
  observations[8].score -= 0.25;  // held up once
  const auto beliefs = Model(space, observations).against(0, {8, 12});
  EXPECT_GT(beliefs[0].mean + 2 * beliefs[0].sd, additive(space, 8) - 0.02);
  EXPECT_NEAR(beliefs[1].mean, additive(space, 12), 0.03);
}

TEST(Model, OfNothingKnowsNothing) {
  const Space space = product({4, 4});
  const auto beliefs = Model(space, {}).against(0, {0, 5});
  EXPECT_EQ(beliefs[0].mean, 0);
  EXPECT_NEAR(beliefs[0].sd, 0, 1e-9);
  EXPECT_EQ(beliefs[1].mean, 0);
  EXPECT_GT(beliefs[1].sd, 0.1);
}

}  // namespace tune::search
