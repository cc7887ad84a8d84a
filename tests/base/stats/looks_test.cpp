#include "base/stats/looks.h"

#include "base/stats/signed_rank.h"

#include <gtest/gtest.h>

namespace tune::stats {

namespace {

using Pairs = std::vector<std::int64_t>;

}  // namespace

TEST(MakeLooks, OfAGateIsTheTabulatedSchedule) {
  EXPECT_EQ(make_looks(kGateAlpha, 1).pairs, (Pairs{10, 16, 24}));
  EXPECT_EQ(make_looks(kGateAlpha, 3).pairs, (Pairs{11, 18, 26}));
  EXPECT_EQ(make_looks(kGateAlpha, 4).pairs.front(), 12);
  EXPECT_EQ(make_looks(kGateAlpha, 8).pairs.front(), 13);
  EXPECT_EQ(make_looks(kGateAlpha, 16).pairs.front(), 14);
  EXPECT_DOUBLE_EQ(make_looks(kGateAlpha, 4).alpha_per_look(), .005 / 3);
}

TEST(MakeLooks, OfAdviceBeginsEarlier) {
  EXPECT_EQ(make_looks(kAdviceAlpha, 1).pairs, (Pairs{7, 12, 17}));
  EXPECT_EQ(make_looks(kAdviceAlpha, 2).pairs, (Pairs{8, 13, 19}));
  EXPECT_EQ(make_looks(kAdviceAlpha, 3).pairs, (Pairs{9, 15, 22}));
}

TEST(MakeLooks, BeginsAsEarlyAsOneOfManyRowsCanBeCalled) {
  for (const double alpha : {kGateAlpha, kAdviceAlpha}) {
    for (std::size_t rows = 1; rows <= 40; ++rows) {
      const LookSchedule looks = make_looks(alpha, rows);
      const double limit = looks.alpha_per_look() / static_cast<double>(rows);
      EXPECT_TRUE(signed_rank_k(looks.pairs.front(), limit).has_value()) << rows;
      EXPECT_FALSE(signed_rank_k(looks.pairs.front() - 1, limit).has_value()) << rows;
    }
  }
}

TEST(MakePrecisionLooks, AreNineThatShareAlpha) {
  const LookSchedule looks = make_precision_looks(kAdviceAlpha, 1);
  EXPECT_EQ(looks.pairs, (Pairs{9, 14, 21, 32, 48, 72, 108, 162, 243}));
  EXPECT_DOUBLE_EQ(looks.alpha_per_look(), kAdviceAlpha / 9);
  for (std::size_t rows = 1; rows <= 8; ++rows) {
    const LookSchedule of_rows = make_precision_looks(kAdviceAlpha, rows);
    const double limit = of_rows.alpha_per_look() / static_cast<double>(rows);
    EXPECT_TRUE(signed_rank_k(of_rows.pairs.front(), limit).has_value()) << rows;
    EXPECT_FALSE(signed_rank_k(of_rows.pairs.front() - 1, limit).has_value()) << rows;
  }
}

TEST(MakeLooks, EndsWithTheThirdLook) {
  const LookSchedule looks = make_looks(kGateAlpha, 1);
  EXPECT_FALSE(looks.is_last(1));
  EXPECT_TRUE(looks.is_last(2));
}

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
