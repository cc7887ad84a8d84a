#include "stats/winsorize.h"

#include "known_series.h"

#include <gtest/gtest.h>

#include <map>

namespace tune::stats {

// Which points move, and where to: reference values, computed twice (NumPy).
TEST(Winsorize, AgreesWithReferenceSeries) {
  using Moved = std::map<std::size_t, double>;
  const std::vector<std::pair<std::vector<double>, Moved>> references = {
      {known::kFlatWithSpikes, {{7, 1032.15}, {23, 1034.58}, {24, 1040.51}, {51, 1050.44}}},
      {known::kCliff,
       {{1, 2376.68}, {2, 1086.10}, {3, 1074.23}, {4, 1062.37}, {5, 1076.73}, {33, 1047.44}}},
      {known::kPlateau, {{12, 1176.37}, {45, 1034.65}}},
      {known::kLateShift, {{20, 1038.58}}},
      {known::kDrift, {{30, 1027.10}}}};
  for (const auto& [series, moved] : references) {
    const std::vector<double> limited = winsorize(series);
    ASSERT_EQ(limited.size(), series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
      const auto found = moved.find(i);
      EXPECT_NEAR(limited[i], found == moved.end() ? series[i] : found->second, 0.005) << i;
    }
  }
}

TEST(Winsorize, KeepsALevelThatLasts) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) {
    values.push_back((i < 20 ? 100 : 200) + i % 3);
  }
  EXPECT_EQ(winsorize(values), values);
}

TEST(Winsorize, PullsTheOnlyDifferentValueToItsEqualNeighbours) {
  std::vector<double> values(30, 5.0);
  values[12] = 50;
  EXPECT_NEAR(winsorize(values)[12], 5, 1e-8);
}

TEST(Winsorize, OfNothingAndOfOneValueChangesNothing) {
  EXPECT_TRUE(winsorize({}).empty());
  EXPECT_EQ(winsorize({3}), std::vector<double>{3});
}

}  // namespace tune::stats
