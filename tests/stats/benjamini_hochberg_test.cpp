#include "stats/benjamini_hochberg.h"

#include <gtest/gtest.h>

namespace tune::stats {

TEST(BenjaminiHochberg, AgreesWithReferenceValues) {
  const std::vector<double> adjusted = benjamini_hochberg_adjusted({.0004, .031, .0021, .012, .60});
  const std::vector<double> expected = {.002, .03875, .00525, .02, .60};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
  }
}

TEST(BenjaminiHochberg, TakesTheSmallestOfTheLargerOnes) {
  EXPECT_EQ(benjamini_hochberg_adjusted({.02, .02, .02}), (std::vector<double>{.02, .02, .02}));
  EXPECT_EQ(benjamini_hochberg_adjusted({1, 1}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(benjamini_hochberg_adjusted({}).empty());
}

}  // namespace tune::stats
