#include "report/ranked_table.h"

#include "report/cell_times.h"
#include "report/failures.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::report {
namespace {

TEST(RankedTable, HasOneRowPerCellInTheOrderOfTheResult) {
  const auto result = sample_result();
  const RankedTable table = ranked_table(result);
  ASSERT_EQ(table.rows.size(), result.cells.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].cell, result.cells[i].cell.id);
    EXPECT_EQ(table.rows[i].texts.size(), table.columns.size());
  }
  EXPECT_EQ(table.rows.front().kind, RankedTable::Kind::baseline);
  EXPECT_TRUE(table.rows[1].is_best);
  EXPECT_EQ(table.rows[1].texts.front(), "1");
  EXPECT_EQ(table.rows.back().kind, RankedTable::Kind::failed);
}

TEST(RankedTable, TextsAreOneLineEachAlsoFromHostileInput) {
  for (const auto& row : ranked_table(hostile_result()).rows) {
    for (const std::string& text : row.texts) {
      EXPECT_EQ(text.find_first_of("\n\x1b\t"), std::string::npos) << text;
    }
  }
}

TEST(CellTimes, PhasesSumToTheTimeOfOneSample) {
  const auto result = sample_result();
  const auto split = phase_split(result, result.cells.front());
  ASSERT_TRUE(split);
  double ms = 0, ratio = 0;
  for (const PhaseShare& part : split->parts) {
    ms += part.ms_per_sample;
    ratio += part.ratio;
  }
  EXPECT_NEAR(ms, split->ms_per_sample, 1e-9);
  EXPECT_NEAR(ratio, 1, 1e-12);
  EXPECT_NEAR(1000 / split->ms_per_sample, result.cells.front().throughput->value, 0.5);
}

TEST(CellTimes, AreOneNumberForEachSearchRound) {
  const auto result = sample_result();
  EXPECT_EQ(cell_times(result, "baseline").step_seconds.size(), 3U);
  EXPECT_TRUE(cell_times(result, "c11").step_seconds.empty());
  EXPECT_FALSE(phase_split(result, result.cells.back()));
}

TEST(Failures, NameOutcomeReasonTrialAndLastLines) {
  const auto found = failures(sample_result());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].outcome, "out-of-memory");
  EXPECT_EQ(found[0].trial, "r1-c11");
  EXPECT_EQ(found[1].reason, "SIGSEGV in phase warmup");
  EXPECT_NE(found[1].stderr_tail.find("primitive descriptor"), std::string::npos);
}

TEST(Failures, WarningsNameMissingWorkABusyMachineAndBrokenFiles) {
  auto result = unconfirmed_result();
  result.machine.load1 = 1.9;
  auto& loader = result.trials.front().outcome.reply->loader;
  loader.errors = 1;
  loader.broken = {{"a.jpg", "truncated", "replaced by b.jpg", 1}};
  const auto found = warnings(result);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[0].find("12 of 80 trials missing"), std::string::npos);
  EXPECT_NE(found[1].find("load 1.90 on 2 CPUs"), std::string::npos);
  EXPECT_NE(found[2].find("a.jpg (truncated, replaced by b.jpg)"), std::string::npos);
}

TEST(Failures, UnevenCellsAreOneWarningAndANoteEach) {
  auto result = sample_result();
  for (auto& cell : result.cells) {
    cell.stalls = true;
  }
  result.cells[2].disturbed = true;
  const auto found = warnings(result);
  const auto uneven = std::count_if(found.begin(), found.end(), [](const std::string& text) {
    return text.starts_with("24 of 24 cells ran unevenly");
  });
  EXPECT_EQ(uneven, 1);
  const auto rows = ranked_table(result).rows;
  EXPECT_EQ(rows[1].texts.back(), "stalls");
  EXPECT_EQ(rows[2].texts.back(), "disturbed, stalls");
  EXPECT_EQ(rows.back().texts.back(), "crashed");
}

}  // namespace
}  // namespace tune::report
