#include "measure/search/screening_design.h"

#include "small_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tune::search {

namespace {

std::vector<std::size_t> all_of(const Space& space) {
  std::vector<std::size_t> cells(space.cells.size());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
}

std::vector<std::size_t> design(const Space& space, std::size_t count, std::uint64_t seed = 1) {
  return screening_design(space, read_history(space, {}), all_of(space), count, seed);
}

}  // namespace

TEST(ScreeningDesign, HasEveryLevelOfEveryKnobAboutEquallyOften) {
  const Space space = product({2, 2, 2, 2, 2});
  const auto cells = design(space, 8);
  ASSERT_EQ(cells.size(), 8U);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    const auto high = std::count_if(
        cells.begin(), cells.end(), [&](std::size_t cell) { return space.cells[cell][axis] == 1; });
    EXPECT_GE(high, 3) << axis;  // the baseline has the low level
    EXPECT_LE(high, 6) << axis;
  }
}

TEST(ScreeningDesign, NeverHasTheBaselineNorACellTwiceNorAMeasuredOne) {
  const Space space = product({3, 3});
  const History history = read_history(space, {completed(4, 0, 1), completed(8, 0, 1)});
  const auto cells = screening_design(space, history, all_of(space), 20, 1);
  EXPECT_EQ(std::set(cells.begin(), cells.end()), (std::set<std::size_t>{1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(cells.size(), 6U);
}

TEST(ScreeningDesign, TakesFavouredCellsFirst) {
  Space space = product({2, 2, 2});
  space.favoured = {6, 3};
  const auto cells = design(space, 3);
  EXPECT_EQ(cells[0], 6U);
  EXPECT_EQ(cells[1], 3U);
  EXPECT_EQ(cells.size(), 3U);
}

TEST(ScreeningDesign, WorksWhereMostOfTheProductIsMissing) {
  Space space = product({4, 4});
  space.cells = {{0, 0}, {0, 1}, {1, 1}, {3, 3}, {2, 0}};
  EXPECT_EQ(design(space, 3).size(), 3U);
}

TEST(ScreeningDesign, DependsOnTheSeedAmongEqualsOnly) {
  const Space space = product({2, 2, 2, 2});
  EXPECT_EQ(design(space, 5, 7), design(space, 5, 7));
  EXPECT_NE(design(space, 5, 1), design(space, 5, 2));
}

}  // namespace tune::search
