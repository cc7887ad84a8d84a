#include "base/stats/levels.h"

#include "known_series.h"
#include "machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

namespace {

std::vector<double> logs_of(std::vector<double> values) {
  for (double& value : values) {
    value = std::log(value);
  }
  return values;
}

double penalty(double factor) {
  return factor * std::log(60.0);
}

// The definition, without pruning.
Segmentation plain_segmentation(const std::vector<double>& values, double penalty) {
  const SegmentCost cost(values);
  const std::size_t n = values.size();
  std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begins(n + 1, 0);
  best[0] = -penalty;
  for (std::size_t end = kShortestSegment; end <= n; ++end) {
    for (std::size_t first = 0; first + kShortestSegment <= end; ++first) {
      const double total = best[first] + cost(first, end) + penalty;
      if (total < best[end]) {
        best[end] = total;
        begins[end] = first;
      }
    }
  }
  Segmentation found{.cost = best[n]};
  for (std::size_t end = n; end > 0; end = begins[end]) {
    found.ends.insert(found.ends.begin(), end);
  }
  return found;
}

std::vector<double> random_levels(noise::RandomStream& random, std::size_t n) {
  std::vector<double> values;
  double level = 0, sd = 0.01;
  for (std::size_t i = 0; i < n; ++i) {
    if (random.chance(0.05)) {
      level += 0.05 * random.normal();
      sd = random.chance(0.2) ? 0 : 0.03 * random.uniform();
    }
    values.push_back(18 + level + sd * random.normal());
  }
  return values;
}

}  // namespace

// F and ends: reference values, computed twice (NumPy).
TEST(SegmentByLevel, AgreesWithReferenceSeries) {
  struct Reference {
    const std::vector<double>& series;
    std::vector<std::size_t> ends;
    double cost;
  };
  for (const auto& [series, ends, cost] : {Reference{known::kFlatWithSpikes, {60}, -351.1308},
                                           Reference{known::kCliff, {6, 60}, -262.2654},
                                           Reference{known::kPlateau, {22, 60}, -302.3403},
                                           Reference{known::kLateShift, {50, 60}, -317.8746},
                                           Reference{known::kDrift, {35, 60}, -254.0546}}) {
    const Segmentation found = segment_by_level(logs_of(winsorize(series)), penalty(15));
    EXPECT_EQ(found.ends, ends);
    EXPECT_NEAR(found.cost, cost, 1e-4);
  }
}

TEST(SegmentByLevel, WithAnotherPenaltyOrWithoutWinsorisingAgreesToo) {
  using Ends = std::vector<std::size_t>;
  const auto low = [](const std::vector<double>& series) {
    return segment_by_level(logs_of(winsorize(series)), penalty(3)).ends;
  };
  EXPECT_EQ(low(known::kFlatWithSpikes), (Ends{60}));
  EXPECT_EQ(low(known::kCliff), (Ends{6, 60}));
  EXPECT_EQ(low(known::kPlateau), (Ends{22, 31, 46, 60}));
  EXPECT_EQ(low(known::kLateShift), (Ends{43, 50, 60}));
  EXPECT_EQ(low(known::kDrift), (Ends{6, 15, 30, 35, 46, 60}));
  const auto raw = [](const std::vector<double>& series) {
    return segment_by_level(logs_of(series), penalty(15)).ends;
  };
  EXPECT_EQ(raw(known::kFlatWithSpikes), (Ends{60}));
  EXPECT_EQ(raw(known::kCliff), (Ends{6, 60}));
  EXPECT_EQ(raw(known::kPlateau), (Ends{22, 60}));
  EXPECT_EQ(raw(known::kLateShift), (Ends{60}));
  EXPECT_EQ(raw(known::kDrift), (Ends{35, 60}));
}

TEST(SegmentByLevel, WithPruningIsTheSameAsWithout) {
  noise::RandomStream random(4);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto n = kShortestSegment + static_cast<std::size_t>(random.uniform() * 120);
    const std::vector<double> values = random_levels(random, n);
    const double penalty = 60 * random.uniform() * random.uniform();
    const Segmentation expected = plain_segmentation(values, penalty);
    const Segmentation found = segment_by_level(values, penalty);
    EXPECT_EQ(found.ends, expected.ends) << "n = " << n << ", repeat " << repeat;
    EXPECT_EQ(found.cost, expected.cost);
  }
}

TEST(SegmentByLevel, DoesNotDependOnTheUnit) {
  std::vector<double> larger = logs_of(known::kDrift);
  for (double& value : larger) {
    value += std::log(1e9);
  }
  EXPECT_EQ(segment_by_level(larger, penalty(3)).ends,
            segment_by_level(logs_of(known::kDrift), penalty(3)).ends);
}

TEST(SegmentByLevel, OfEqualValuesIsOneSegment) {
  EXPECT_EQ(segment_by_level(std::vector<double>(200, 17.5), 1).ends,
            std::vector<std::size_t>{200});
}

TEST(SegmentByLevel, NeverMakesAShorterSegmentThanFive) {
  std::vector<double> values(20, 1.0);
  values[19] = 2;
  for (const std::size_t end : segment_by_level(values, 0).ends) {
    EXPECT_TRUE(end == 20 || (end >= 5 && end <= 15)) << end;
  }
  EXPECT_EQ(segment_by_level({1, 2, 3, 4, 5}, 0).ends, std::vector<std::size_t>{5});
}

TEST(SegmentByLevelDeathTest, OfFewerThanFiveValuesIsOurBug) {
  EXPECT_DEATH(segment_by_level({1, 2, 3, 4}, 1), "our bug");
}

}  // namespace tune::stats
