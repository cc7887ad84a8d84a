#include "measure/search/history.h"

#include "small_space.h"

#include <gtest/gtest.h>

namespace tune::search {

TEST(History, OutOfMemoryGivesUpLargerBatchesOfTheSameCellOnly) {
  Space space = product({2, 4});  // cell = 4 a + b
  space.memory_axis = 1;
  const History history = read_history(space, {ended(5, 0, Ending::out_of_memory)});
  EXPECT_EQ(history.cells[5].given_up, "it ran out of memory");
  EXPECT_EQ(history.cells[6].given_up, "a smaller batch of the same cell ran out of memory");
  EXPECT_FALSE(history.open(7));
  EXPECT_TRUE(history.open(4));  // a smaller batch
  EXPECT_TRUE(history.open(2));  // the other level of a
  EXPECT_TRUE(history.open(3));
}

TEST(History, WithoutAMemoryAxisOnlyTheCellItselfIsGivenUp) {
  const History history = read_history(product({2, 4}), {ended(5, 0, Ending::out_of_memory)});
  EXPECT_FALSE(history.open(5));
  EXPECT_TRUE(history.open(6));
}

TEST(History, ACellThatViolatesAConstraintTeachesButIsGivenUp) {
  const History history =
      read_history(product({4}), {{.cell = 2, .ending = Ending::infeasible, .score = 1.5}});
  ASSERT_EQ(history.observations.size(), 1U);
  EXPECT_EQ(history.observations[0].score, 1.5);
  EXPECT_FALSE(history.open(2));
  EXPECT_FALSE(history.measured(2));
}

TEST(History, AnUnusableTrialLeavesTheCellOpen) {
  const History history = read_history(product({4}), {ended(2, 0, Ending::unusable)});
  EXPECT_TRUE(history.open(2));
  EXPECT_FALSE(history.measured(2));
  EXPECT_TRUE(history.observations.empty());
}

TEST(History, EndsBeforeTheBlockThatIsAskedFor) {
  const std::vector<Measurement> trials = {
      completed(0, 0, 1), completed(1, 0, 2), completed(2, 1, 3)};
  EXPECT_EQ(read_history(product({4}), trials, 1).observations.size(), 2U);
  EXPECT_EQ(read_history(product({4}), trials).observations.size(), 3U);
}

}  // namespace tune::search
