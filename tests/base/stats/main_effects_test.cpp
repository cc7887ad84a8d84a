#include "base/stats/main_effects.h"

#include <gtest/gtest.h>

namespace tune::stats {
namespace {

using Levels = std::vector<std::vector<std::size_t>>;

// A full grid of two levels and three: rows of (a, b).
const Levels kGrid = {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}};

TEST(MainEffects, OfAFullGridAreTheDifferencesOfMeans) {
  // 10 + (-2, 2) + (-3, 0, 3)
  const MainEffects found = main_effects(kGrid, {5, 8, 11, 9, 12, 15});
  ASSERT_EQ(found.factors.size(), 2U);
  EXPECT_NEAR(found.factors[0].by_level[0], -2, 1e-9);
  EXPECT_NEAR(found.factors[0].by_level[1], 2, 1e-9);
  EXPECT_NEAR(found.factors[1].by_level[0], -3, 1e-9);
  EXPECT_NEAR(found.factors[1].by_level[1], 0, 1e-9);
  // Sums of squares: 6 x 4 = 24 of 60, and 4 x 9 = 36.
  EXPECT_NEAR(found.factors[0].share, 0.4, 1e-9);
  EXPECT_NEAR(found.factors[1].share, 0.6, 1e-9);
  EXPECT_NEAR(found.explained_ratio, 1, 1e-9);
}

TEST(MainEffects, OfAPartOfAGridAllowForTheOtherFactors) {
  // The same without (0, 2) and (1, 0): means of levels would give a difference of 7.
  const MainEffects found = main_effects({{0, 0, 1, 1}, {0, 1, 1, 2}}, {5, 8, 12, 15});
  EXPECT_NEAR(found.factors[0].by_level[1] - found.factors[0].by_level[0], 4, 1e-6);
  EXPECT_NEAR(found.factors[1].by_level[2] - found.factors[1].by_level[0], 6, 1e-6);
  EXPECT_NEAR(found.explained_ratio, 1, 1e-9);
}

TEST(MainEffects, LeaveAnInteractionUnexplained) {
  const MainEffects found = main_effects({{0, 0, 1, 1}, {0, 1, 0, 1}}, {1, -1, -1, 1});
  EXPECT_NEAR(found.explained_ratio, 0, 1e-12);
  EXPECT_NEAR(found.factors[0].share, 0, 1e-12);
}

TEST(MainEffects, OfFactorsThatAlwaysChangeTogetherGoToTheFirst) {
  const MainEffects found = main_effects({{0, 1, 0, 1}, {0, 1, 0, 1}}, {0, 2, 0, 2});
  EXPECT_NEAR(found.factors[0].share, 1, 1e-9);
  EXPECT_NEAR(found.factors[1].share, 0, 1e-9);
}

TEST(MainEffects, AreNothingWhereNothingVaries) {
  for (const std::vector<double>& response : {std::vector<double>{3}, std::vector<double>{3, 3}}) {
    const std::vector<std::size_t> level(response.size(), 0);
    const MainEffects found = main_effects({level}, response);
    EXPECT_EQ(found.factors[0].share, 0);
    EXPECT_EQ(found.explained_ratio, 0);
  }
  EXPECT_TRUE(main_effects({}, {1, 2}).factors.empty());
}

TEST(MainEffects, OfALevelThatNoObservationHasAreZero) {
  const MainEffects found = main_effects({{0, 2}}, {1, 3});
  ASSERT_EQ(found.factors[0].by_level.size(), 3U);
  EXPECT_EQ(found.factors[0].by_level[1], 0);
  EXPECT_NEAR(found.factors[0].by_level[2], 1, 1e-9);
}

}  // namespace
}  // namespace tune::stats
