#include "report/chart_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tune::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(ChartScale, LiesOverTheValuesThatCanBeDrawn) {
  const LinearScale scale = scale_over({10, kNan, 20, kInfinite, 1e300}, {100, 200});
  EXPECT_NEAR(scale.low, 9.4, 1e-9);
  EXPECT_NEAR(scale.high, 20.6, 1e-9);
  EXPECT_NEAR(scale.at(15), 150, 1e-9);
  EXPECT_EQ(scale.at(1e300), 200) << "beyond the end is at the end";
  EXPECT_EQ(scale.at(-5), 100);
}

TEST(ChartScale, HasALengthWhateverTheValuesAre) {
  for (const std::vector<double>& values : {std::vector<double>{},
                                            std::vector<double>{0},
                                            std::vector<double>{0, 0},
                                            std::vector<double>{5, 5},
                                            std::vector<double>{-3},
                                            std::vector<double>{kNan},
                                            std::vector<double>{1e14, 1e14 + 0.01}}) {
    const LinearScale over = scale_over(values, {0, 1});
    EXPECT_GT(over.high, over.low);
    const LinearScale from_zero = scale_from_zero(values, {0, 1});
    EXPECT_EQ(from_zero.low, 0);
    EXPECT_GT(from_zero.high, 0);
  }
}

TEST(ChartScale, TicksLieWithinIt) {
  const LinearScale scale = scale_over({-0.3, 0.9}, {0, 1});
  const std::vector<double> ticks = ticks_of(scale, 5);
  ASSERT_GE(ticks.size(), 2U);
  EXPECT_LE(ticks.size(), 6U);
  bool has_zero = false;
  for (const double tick : ticks) {
    EXPECT_GE(tick, scale.low);
    EXPECT_LE(tick, scale.high);
    has_zero = has_zero || tick == 0;
  }
  EXPECT_TRUE(has_zero);
}

TEST(ChartScale, RunsDownwardsWhereItEndsAbove) {
  const LinearScale scale = scale_from_zero({50}, {300, 100});
  EXPECT_EQ(scale.at(0), 300);
  EXPECT_LT(scale.at(50), 120);
}

TEST(ChartScale, OnlyFiniteNumbersBelowABoundCanBeDrawn) {
  EXPECT_TRUE(is_drawable(0) && is_drawable(-1e14));
  EXPECT_FALSE(is_drawable(kNan) || is_drawable(kInfinite) || is_drawable(1e15));
}

}  // namespace
}  // namespace tune::report
