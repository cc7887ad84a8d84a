#include "report/ranked_table.h"

#include "measure/campaign/measured_facts.h"
#include "report/cell_times.h"
#include "report/failures.h"
#include "report/fitted_table.h"
#include "report/headline.h"
#include "report/result_of.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace tune::report {
namespace {

Table ranked_table_of(const campaign::CampaignResult& result) {
  return ranked_table({result_of(result), &result});
}

TEST(RankedTable, HasOneRowPerCellInTheOrderOfTheResult) {
  const auto result = sample_result();
  const Table table = ranked_table_of(result);
  ASSERT_EQ(table.rows.size(), result.cells.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].at(1), result.cells[i].cell.id);
    EXPECT_EQ(table.rows[i].size(), table.columns.size());
  }
  EXPECT_EQ(table.row_classes.front(), "baseline");
  EXPECT_EQ(table.row_classes[1], "best");
  EXPECT_EQ(table.rows[1].front(), "1");
  EXPECT_EQ(table.rows[2].front(), "2");
  EXPECT_EQ(table.row_classes.back(), "failed");
}

// The search promised +78.6 %, pairs gave +43.5 %: the mark stands beside the latter alone.
TEST(RankedTable, GainRateAndIntervalOfARowComeFromTheTrialsItNames) {
  auto result = sample_result();
  result.cells[1].gain->value = 0.786;
  campaign::Confirmation& fresh = result.confirmations.front();
  ASSERT_EQ(fresh.cell, result.cells[1].cell.id);
  for (campaign::Confirmation* row : {&fresh, &*result.confirmation}) {
    row->gain.value = 0.435;
    row->best.value = 59.1;
    row->baseline.value = 41.2;
  }
  const auto set_verdict = [&](const char* verdict) {
    fresh.verdict = result.confirmation->verdict = verdict;
  };
  const auto row_of = [&](std::size_t row) { return ranked_table_of(result).rows.at(row); };
  const std::string pairs = std::to_string(fresh.pairs) + " fresh pairs";
  EXPECT_EQ(row_of(1).at(3), "59.1");
  EXPECT_EQ(row_of(1).at(4), "+43.5 %");
  EXPECT_EQ(row_of(1).at(6), pairs + " \u2713");
  EXPECT_EQ(row_of(0).at(3), "41.2") << "the baseline of the same pairs";
  EXPECT_EQ(row_of(0).at(6), pairs);
  EXPECT_TRUE(row_of(2).at(6).starts_with("search, ")) << "it ran in none";
  for (const auto& row : ranked_table_of(result).rows) {
    for (const std::string& text : row) {
      EXPECT_EQ(text.find("+78.6"), std::string::npos) << text;
    }
  }
  set_verdict("ambiguous");
  EXPECT_EQ(row_of(1).at(6), pairs + ", AMBIGUOUS");
  EXPECT_EQ(row_of(1).at(3), "") << "a rate that could contradict the gain";
  set_verdict("");
  EXPECT_EQ(row_of(1).at(6), pairs + ", not decided");
  result.confirmations.clear();
  result.confirmation.reset();
  EXPECT_EQ(row_of(1).at(4), "+78.6 %");
  EXPECT_TRUE(row_of(1).at(6).starts_with("search, "));
}

TEST(RankedTable, NoteHasCoverageByRoundsOrderAndMark) {
  auto result = sample_result();
  result.cells[2].gain->n = 2;
  result.cells[2].gain->confidence = 0.5;
  result.cells[3].gain = stats::Number{.value = 0.74, .n = 1};
  const std::string note = ranking_note(result_of(result));
  const auto says = [&](const char* part) { return note.find(part) != std::string::npos; };
  EXPECT_TRUE(
      says("; an interval of 2 rounds covers 50.0 %, of 3 rounds 75.0 %. Order: fresh "
           "pairs, "))
      << note;
  EXPECT_TRUE(says("Gains of the search only rank")) << note;
  EXPECT_TRUE(note.starts_with("\u2713 proven in fresh pairs. ")) << note;
  EXPECT_EQ(ranked_table_of(result).rows[3][5], "none");
  result.audit = campaign::Audit{.is_whole = true};
  EXPECT_NE(ranking_note(result_of(result)).find("Gains of the audit"), std::string::npos);
  EXPECT_FALSE(says("fewest changes")) << note;
  result.confirmations.push_back(result.confirmations.front());
  result.confirmations.back().cell = result.cells[2].cell.id;
  result.confirmations.back().gain.value = 2;
  EXPECT_NE(ranking_note(result_of(result))
                .find("fresh pairs, first the fewest changes where these do not tell"),
            std::string::npos);
  result.confirmations.pop_back();
  result.confirmations.front().verdict = result.confirmation->verdict = "refuted";
  EXPECT_EQ(ranking_note(result_of(result)).find("\u2713"), std::string::npos);
  EXPECT_TRUE(ranked_table_of(result).rows[1].at(6).ends_with(", REFUTED"));
}

TEST(RankedTable, CountsTheCellsBehindItsLastRow) {
  const result::Result result = result_of(sample_result());
  const Table table = ranked_table({result}, 10);
  EXPECT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.left_out, 14U);
  EXPECT_EQ(ranked_table({result}).left_out, 0U);
}

TEST(RankedTable, TextsAreOneLineEachAlsoFromHostileInput) {
  for (const auto& row : ranked_table_of(hostile_result()).rows) {
    for (const std::string& text : row) {
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
  EXPECT_NEAR(1000 / split->ms_per_sample, result.cells.front().throughput->value.value_or(0), 0.5);
}

TEST(CellTimes, AreOneNumberForEachFreshPairElseForEachRoundOfTheSearch) {
  const auto result = sample_result();
  const auto failed = std::find_if(result.cells.begin(), result.cells.end(), [](const auto& cell) {
    return cell.cell.id == "c11";
  });
  ASSERT_NE(failed, result.cells.end());
  const auto times_of = [&](const campaign::CellResult& cell) {
    return cell_times(campaign::window_trials(result, cell));
  };
  EXPECT_EQ(times_of(result.cells.front()).numbers.at("step_time").size(), 6U);
  EXPECT_EQ(times_of(result.cells.at(2)).numbers.at("step_time").size(), 3U);
  EXPECT_TRUE(times_of(*failed).numbers.empty());
  EXPECT_FALSE(phase_split(result, result.cells.back()));
}

TEST(Failures, NameOutcomeReasonTrialAndLastLines) {
  const campaign::CampaignResult result = sample_result();
  const result::Result stored = result_of(result);
  const auto found = failures({stored, &result});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].outcome, "out-of-memory");
  EXPECT_EQ(found[0].trial, "r1-c11");
  EXPECT_EQ(found[1].reason, "SIGSEGV in phase warmup");
  EXPECT_NE(found[1].stderr_tail.find("primitive descriptor"), std::string::npos);
}

// The search left it out, or the run ended: nothing went wrong with it.
TEST(Failures, ACellThatNeverRanIsNotMeasuredAndNoFailure) {
  auto result = sample_result();
  campaign::CellResult left_out{.cell = result.cells[5].cell, .outcome = "not-run"};
  left_out.cell.id = "x1";
  left_out.reason = "not measured: at most +88.7 %, the leader has +90.9 %";
  campaign::CellResult cut = left_out;
  cut.cell.id = "x2";
  cut.reason = "interrupted";
  result.cells.push_back(left_out);
  result.cells.push_back(cut);
  const result::Result stored = result_of(result);
  EXPECT_EQ(failures({stored, &result}).size(), 2U) << "c11 and c21";
  const auto found = unmeasured(stored);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].setting, setting_text(left_out.cell));
  EXPECT_EQ(found[0].reason, "by the search's model at most +88.7 %, the leader has +90.9 %");
  EXPECT_EQ(found[1].reason, "interrupted");
  EXPECT_TRUE(is_ruled_out(*stored.find_cell("x1")));
  EXPECT_FALSE(is_ruled_out(*stored.find_cell("x2")));
  EXPECT_EQ(ranked_table_of(result).rows.back().back(), "not measured");
  EXPECT_TRUE(unmeasured(result_of(sample_result())).empty());
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
  const auto rows = ranked_table_of(result).rows;
  EXPECT_EQ(rows[1].back(), "stalls");
  EXPECT_EQ(rows[2].back(), "disturbed, stalls");
  EXPECT_EQ(rows.back().back(), "crashed");
}

Table table_with_unmeasured(std::size_t count) {
  Table table{.columns = {{"#"}, {"setting"}, {"samples/s"}, {"note"}}};
  const auto add = [&](const char* rank, std::string setting, const char* rate, const char* note) {
    table.rows.push_back({rank, std::move(setting), rate, note});
    table.row_classes.emplace_back(*note != '\0' ? "failed" : "");
  };
  add("", kBaselineSetting, "", kNotMeasured);
  for (std::size_t i = 0; i < count; ++i) {
    add("", "num_workers=" + std::to_string(i), "", kNotMeasured);
  }
  add("1", "amp=bf16", "70.1", "");
  return table;
}

TEST(FittedTable, SaysInALineHowManySettingsWereNotMeasured) {
  const std::string many = FittedTable(table_with_unmeasured(20), 80).print({});
  EXPECT_NE(many.find(kBaselineSetting), std::string::npos) << "its row stays";
  EXPECT_NE(many.find("amp=bf16"), std::string::npos);
  EXPECT_EQ(many.find("num_workers="), std::string::npos);
  EXPECT_NE(many.find("  ... and 20 that were not measured\n"), std::string::npos) << many;
  const std::string few = FittedTable(table_with_unmeasured(3), 80).print({});
  EXPECT_NE(few.find("num_workers=2"), std::string::npos);
  EXPECT_EQ(few.find("..."), std::string::npos) << few;
}

TEST(FittedTable, CountsTheRowsBehindTheFirst) {
  Table table{.columns = {{"#"}, {"cell"}, {"setting"}, {"samples/s"}}};
  for (int i = 0; i < 6; ++i) {
    table.rows.push_back({std::to_string(i), "c0" + std::to_string(i), "num_workers=1", "70.1"});
    table.row_classes.emplace_back();
  }
  const std::string short_text = FittedTable(table, 80, 4).print({});
  EXPECT_NE(short_text.find("  ... and 2 more, see the report (-v lists them)\n"),
            std::string::npos);
  EXPECT_EQ(short_text.find("c01"), std::string::npos) << "cells are known by what they change";
  EXPECT_EQ(FittedTable(table, 80, 5).print({}).find("..."), std::string::npos)
      << "a line for one row would be no shorter";
}

}  // namespace
}  // namespace tune::report
