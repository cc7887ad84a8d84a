#include "search/best_first.h"

#include "small_space.h"

#include <gtest/gtest.h>

namespace tune::search {

namespace {

constexpr double kTie = 0.01;

History with_memory(std::size_t cells, const std::vector<std::int64_t>& bytes) {
  History history;
  history.cells.resize(cells);
  for (std::size_t cell = 0; cell < bytes.size(); ++cell) {
    history.cells[cell].peak_memory_bytes = {bytes[cell]};
  }
  return history;
}

}  // namespace

TEST(BestFirst, WithinATieTheFewestChangedKnobsGoFirst) {
  const Space space = product({2, 2});
  const History history = with_memory(4, {});
  EXPECT_EQ(best_first(space, history, {{3, 0.500}, {1, 0.495}, {2, 0.480}}, kTie),
            (std::vector<std::size_t>{1, 3, 2}));
}

TEST(BestFirst, ThenTheLeastMemory) {
  const Space space = product({2, 2});
  const History history = with_memory(4, {0, 900, 800, 0});
  EXPECT_EQ(best_first(space, history, {{1, 0.500}, {2, 0.495}}, kTie),
            (std::vector<std::size_t>{2, 1}));
}

TEST(BestFirst, OutsideOfATieTheScoreDecides) {
  const Space space = product({2, 2});
  EXPECT_EQ(best_first(space, with_memory(4, {}), {{1, 0.1}, {3, 0.2}}, kTie),
            (std::vector<std::size_t>{3, 1}));
}

}  // namespace tune::search
