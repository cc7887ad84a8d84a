#include "stats/holm.h"

#include <gtest/gtest.h>

namespace tune::stats {

TEST(HolmAdjusted, AgreesWithReferenceValues) {
  const std::vector<double> adjusted = holm_adjusted({.0004, .031, .0021, .012, .60});
  const std::vector<double> expected = {.002, .062, .0084, .036, .60};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
  }
}

TEST(HolmAdjusted, NeverFallsNorExceedsOne) {
  EXPECT_EQ(holm_adjusted({.01, .0101}), (std::vector<double>{.02, .02}));
  EXPECT_EQ(holm_adjusted({.9, .8}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm_adjusted({}).empty());
}

TEST(HolmCalled, GoesDownUntilTheFirstMiss) {
  const HolmFamily family{.level = .005 / 3, .rows = 4};
  EXPECT_EQ(holm_called({.00012, .00049, .0011, .21}, family), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(holm_called({.21, .0011, .00049, .00012}, family), (std::vector<std::size_t>{3, 2}));
  EXPECT_TRUE(holm_called({.00042, .0005, .0006, .0007}, family).empty());
}

TEST(HolmCalled, HasMoreToSpendOnceRowsWereCalled) {
  EXPECT_TRUE(holm_called({.001}, {.level = .005 / 3, .rows = 2}).empty());
  EXPECT_EQ(holm_called({.001}, {.level = .005 / 3, .rows = 2, .called = 1}).size(), 1U);
}

TEST(HolmCalled, OfAllRowsAtOnceAgreesWithTheAdjustedValues) {
  const std::vector<double> p_values = {.0004, .031, .0021, .012, .60};
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (const double level : {.001, .002, .0085, .04, .1, .7}) {
    std::size_t expected = 0;
    for (const double p : adjusted) {
      expected += p <= level ? 1U : 0U;
    }
    EXPECT_EQ(holm_called(p_values, {.level = level, .rows = 5}).size(), expected) << level;
  }
}

TEST(HolmCalledDeathTest, WithMoreOpenRowsThanThereAreIsOurBug) {
  EXPECT_DEATH(holm_called({.1, .2}, {.level = .05, .rows = 1}), "our bug");
}

}  // namespace tune::stats
