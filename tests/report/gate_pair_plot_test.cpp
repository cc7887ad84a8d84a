#include "report/gate_pair_plot.h"

#include "drawing_check.h"
#include "report/gate_row_words.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace tune::report {
namespace {

PairPlot sample(std::int64_t pairs) {
  PairPlot plot{.id = "pairs-1", .metric = "throughput", .pairs = {}};
  for (std::int64_t i = 1; i <= pairs; ++i) {
    plot.pairs.push_back({.pair = i,
                          .change = -0.17 + 0.001 * static_cast<double>(i % 5),
                          .baseline_first = i % 2 == 1});
  }
  plot.change = {.value = -0.168, .lower = -0.175, .upper = -0.160};
  plot.judged = pairs;
  plot.budget = -0.029;
  plot.looks = {pairs};
  return plot;
}

TEST(GatePairPlot, DrawsAMarkAPairWithIntervalBudgetAndLook) {
  const auto drawing = gate_pair_plot(sample(10));
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), 11U);
  EXPECT_EQ(elements_of(*drawing, "circle"), 5U) << "the baseline first";
  EXPECT_EQ(elements_of(*drawing, "polygon"), 5U) << "the candidate first";
  const std::string text = text_of(*drawing);
  for (const char* const part : {"10 pairs from -17.0 % to -16.6 %",
                                 "together -16.8 % [-17.5, -16.0] %",
                                 "budget -2.9 %",
                                 "look 1",
                                 "pair 2, candidate first: -16.8 %"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST(GatePairPlot, IsThereFromOnePairOn) {
  EXPECT_FALSE(gate_pair_plot(sample(0)));
  const auto drawing = gate_pair_plot(sample(1));
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
}

TEST(GatePairPlot, LeavesOutWhatItDoesNotHave) {
  PairPlot plot = sample(4);
  plot.change = {};
  plot.budget = std::nullopt;
  plot.looks.clear();
  const auto drawing = gate_pair_plot(plot);
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  const std::string text = text_of(*drawing);
  EXPECT_EQ(text.find("budget"), std::string::npos);
  EXPECT_EQ(text.find("together"), std::string::npos);
}

TEST(GatePairPlot, IsSoundWithManyPairsAndNumbersThatAreNone) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity(),
                             -1e14,
                             0.0}) {
    PairPlot plot = sample(2'000);
    plot.metric = std::string(10'000, 'm');
    plot.pairs.at(7).change = value;
    plot.change.value = plot.change.upper = value;
    plot.budget = value;
    plot.looks = {-3, 0, 10, std::numeric_limits<std::int64_t>::max()};
    const auto drawing = gate_pair_plot(plot);
    ASSERT_TRUE(drawing) << value;
    expect_sound_drawing(*drawing);
    EXPECT_LE(elements_of(*drawing, "g"), kMostPairsDrawn + 1);
  }
}

result::GatePair pair_of(double before, double after) {
  result::GatePair pair;
  pair.baseline.values["throughput"] = before;
  pair.candidate.values["throughput"] = after;
  return pair;
}

TEST(GateRowWords, ChangesKeepTheNumberOfTheirPair) {
  const std::vector<result::GatePair> pairs = {
      pair_of(100, 110), result::GatePair{}, pair_of(0, 5), pair_of(50, 40)};
  const auto changes = changes_of(pairs, "throughput");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].pair, 1);
  EXPECT_NEAR(changes[0].change, 0.1, 1e-12);
  EXPECT_EQ(changes[1].pair, 4);
  EXPECT_NEAR(changes[1].change, -0.2, 1e-12);
}

TEST(GateRowWords, NoiseIsTheMedianDistanceFromTheMedian) {
  std::vector<PairChange> changes;
  for (const double change : {0.01, 0.02, 0.03, 0.04, 0.5}) {
    changes.push_back({.change = change});
  }
  EXPECT_NEAR(noise_of(changes).value(), 0.01, 1e-12);
  changes.resize(3);
  EXPECT_FALSE(noise_of(changes));
}

TEST(GateRowWords, TheBudgetLiesWhereTheMetricGetsWorse) {
  result::GateRow row{.metric = "throughput", .budget = 0.25};
  row.delta.value = -0.1;
  EXPECT_NEAR(budget_change(row).value(), -0.2, 1e-12);
  EXPECT_NEAR(worsening(row), 1 / 0.9 - 1, 1e-12) << "as if it were a time";
  row.metric = "epoch_time";
  EXPECT_NEAR(budget_change(row).value(), 0.25, 1e-12);
  EXPECT_NEAR(worsening(row), -0.1, 1e-12);
}

TEST(GateRowWords, TheWorstRowComesFirst) {
  result::Gate gate;
  const auto add = [&](const std::string& metric, const std::string& verdict, double change) {
    result::GateRow row{.metric = metric, .verdict = verdict};
    row.delta.value = change;
    gate.rows.push_back(row);
  };
  add("epoch_time", "PASS", 0.01);
  add("peak_memory_bytes", "REGRESSED", 0.05);
  add("throughput", "REGRESSED", -0.2);
  add("other", "INCONCLUSIVE", 0.4);
  const auto rows = worst_first(gate.rows, true);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0]->metric, "throughput");
  EXPECT_EQ(rows[1]->metric, "peak_memory_bytes");
  EXPECT_EQ(rows[2]->metric, "other");
  EXPECT_TRUE(worst_first(gate.rows, false).empty());
}

}  // namespace
}  // namespace tune::report
