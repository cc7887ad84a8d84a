#include "measure/search/likeness.h"

#include "small_space.h"

#include <gtest/gtest.h>

namespace tune::search {

namespace {

Assumptions plain(double weight, std::size_t axes) {
  return {.signal = 1, .own = 0, .weights = std::vector<double>(axes, weight)};
}

}  // namespace

TEST(Likeness, OfTwoLevelsIsPlusOrMinusTheWeight) {
  const Space space = product({2, 2});
  const Likeness likeness(space);
  const Assumptions assumptions = plain(0.5, 2);
  EXPECT_NEAR(likeness.covariance(0, 0, assumptions), 1.5 * 1.5, 1e-12);
  EXPECT_NEAR(likeness.covariance(0, 1, assumptions), 1.5 * 0.5, 1e-12);
  EXPECT_NEAR(likeness.covariance(0, 3, assumptions), 0.5 * 0.5, 1e-12);
}

TEST(Likeness, NeighboursOnANumericAxisAreAlike) {
  Space space = product({4});
  const Assumptions assumptions = plain(1, 1);
  const auto between = [&](std::size_t a, std::size_t b) {
    return Likeness(space).covariance(a, b, assumptions);
  };
  EXPECT_GT(between(0, 1), between(0, 2));
  EXPECT_GT(between(0, 2), between(0, 3));
  space.axes[0].numeric = false;
  EXPECT_NEAR(between(0, 1), between(0, 3), 1e-12);
}

TEST(Likeness, AnAxisOfOneLevelDoesNothing) {
  const Space space = product({1, 2});
  const Assumptions assumptions = plain(1, 2);
  EXPECT_NEAR(Likeness(space).covariance(0, 0, assumptions), 2, 1e-12);
}

}  // namespace tune::search
