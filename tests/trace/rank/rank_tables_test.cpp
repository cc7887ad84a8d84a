#include "trace/rank/rank_tables.h"

#include "base/error.h"
#include "rank_traces.h"
#include "trace/rank/rank_summary.h"

#include <gtest/gtest.h>

namespace tune::rank {
namespace {

using profile::row;
using table::Cell;

std::string step(const std::string& dur) {
  return row("user_annotation", "ProfilerStep#1", "0", dur);
}

std::string work(const std::string& dur) {
  return row("kernel", "gemm", "10", dur);
}

TEST(RankTable, HasTheEightPartsOfEveryRank) {
  const auto ranks =
      pair_of(summary_of(0, step("200") + "," + work("40") + "," + all_reduce("100", "50")),
              summary_of(1, step("200") + "," + work("80") + "," + all_reduce("130", "20")));
  const table::Table table = rank_table(ranks, match_collectives(ranks));
  ASSERT_EQ(table.rows.size(), 2U);
  const auto& first = table.rows[0];
  EXPECT_EQ(cell(table, first, "rank"), Cell("0"));
  EXPECT_EQ(cell(table, first, "step_time"), Cell(std::int64_t{200'000}));
  EXPECT_EQ(cell(table, first, "kernel"), Cell(std::int64_t{40'000}));
  EXPECT_EQ(cell(table, first, "communication"), Cell(std::int64_t{50'000}));
  EXPECT_EQ(cell(table, first, "other"), Cell(std::int64_t{110'000}));
  EXPECT_EQ(cell(table, first, "gpu_busy_ratio"), Cell(0.45));
  EXPECT_EQ(cell(table, first, "exposed_communication_ratio"), Cell(0.25));
  EXPECT_EQ(cell(table, first, "collective_wait"), Cell(std::int64_t{30'000}));
  EXPECT_EQ(cell(table, table.rows[1], "times_last"), Cell(std::int64_t{1}));
  EXPECT_EQ(cell(table, table.rows[1], "caused_wait"), Cell(std::int64_t{30'000}));
}

TEST(RankTable, OfTheCpuAloneHasNoDeviceColumns) {
  const std::string op = row("cpu_op", "aten::mm", "1", "9");
  const auto ranks = pair_of(summary_of(0, op), summary_of(1, op));
  const table::Table table = rank_table(ranks, match_collectives(ranks));
  std::vector<std::string> columns;
  for (const table::Column& column : table.columns) {
    columns.push_back(column.id);
  }
  EXPECT_EQ(columns,
            (std::vector<std::string>{
                "rank", "steps", "step_time", "data_loading", "cpu_op", "other", "file"}));
  EXPECT_EQ(cell(table, table.rows[0], "cpu_op"), Cell(std::int64_t{9'000}));
  EXPECT_EQ(table.notes.front(), "times are per step; the parts sum to it");
  EXPECT_FALSE(compute_imbalance_ratio(ranks).is_applicable());
}

TEST(RankTable, KeepsTheDeviceColumnsWhereOneRankHasThem) {
  const auto ranks =
      pair_of(summary_of(0, row("cpu_op", "aten::mm", "1", "9")), summary_of(1, work("40")));
  const table::Table table = rank_table(ranks, match_collectives(ranks));
  EXPECT_EQ(cell(table, table.rows[0], "kernel"), Cell());
  EXPECT_EQ(cell(table, table.rows[0], "exposed_communication_ratio"), Cell());
  EXPECT_EQ(cell(table, table.rows[0], "times_last"), Cell());
  EXPECT_EQ(cell(table, table.rows[1], "kernel"), Cell(std::int64_t{40'000}));
}

TEST(CollectiveTable, NamesWhoStartsLast) {
  const auto ranks =
      pair_of(summary_of(0, all_reduce("100", "50")), summary_of(1, all_reduce("130", "20")));
  const table::Table table = collective_table(ranks, match_collectives(ranks));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(cell(table, table.rows[0], "transfer"), Cell(std::int64_t{20'000}));
  EXPECT_EQ(cell(table, table.rows[0], "wait"), Cell(std::int64_t{30'000}));
  EXPECT_EQ(cell(table, table.rows[0], "wait_ratio"), Cell(30.0 / 70.0));
  EXPECT_EQ(cell(table, table.rows[0], "straggler"), Cell("rank 1, 1 of 1"));
}

TEST(ComputeImbalance, IsTheSlowestAgainstTheMean) {
  const auto ranks = pair_of(summary_of(0, step("200") + "," + work("40")),
                             summary_of(1, step("200") + "," + work("80")));
  EXPECT_DOUBLE_EQ(*compute_imbalance_ratio(ranks).value, 80.0 / 60.0 - 1);
}

TEST(OrderRanks, ByRankAndThoseNotKnownLast) {
  auto ranks = pair_of(summary_of(-1, work("4")), summary_of(3, work("4")));
  ranks.push_back(summary_of(0, work("4")));
  order_ranks(ranks);
  EXPECT_EQ(ranks[0].rank.rank, 0);
  EXPECT_EQ(ranks[1].rank.rank, 3);
  EXPECT_EQ(rank_text(ranks[2]), "test.json");
}

TEST(OrderRanks, TwoFilesOfOneRankAreAMistake) {
  auto ranks = pair_of(summary_of(2, work("4")), summary_of(2, work("4")));
  EXPECT_THROW(order_ranks(ranks), Error);
}

bool are_of_one_job(int rank, const std::string& events) {
  std::vector<RankSummary> ranks;
  ranks.push_back(summary_of(-1, profile::row("cpu_op", "aten::mm", "0", "10")));
  ranks.push_back(summary_of(rank, events));
  return are_of_one_job(ranks);
}

TEST(Ranks, AreOfOneJobWhereOneSaysSoOrCallsACollective) {
  const std::string work = profile::row("cpu_op", "aten::mm", "0", "10");
  EXPECT_FALSE(are_of_one_job(-1, work));
  EXPECT_TRUE(are_of_one_job(3, work));
  EXPECT_TRUE(are_of_one_job(-1, all_reduce("0", "10")));
}

}  // namespace
}  // namespace tune::rank
