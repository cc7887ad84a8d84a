#include "trace/table/critical_path_tables.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::table {
namespace {

using profile::Category;

// aten::mm 0-20 with the launch of a kernel of 60 us, which the host waits for until 100.
WrittenTimeline waiting() {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 20);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("gemm", 20, 60, 1);
  trace.call("cudaDeviceSynchronize", 30, 70, 2);
  return trace;
}

TEST(CriticalPathTable, SaysWhatEachPartTakesAndAtMostGains) {
  WrittenTimeline trace = waiting();
  const Table table = critical_path_table(trace.input());
  ASSERT_TRUE(table.is_applicable());
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0].front(), Cell(std::string("kernel")));  // the longest first
  EXPECT_EQ(whole(table, "kernel", "time"), 60'000);
  EXPECT_EQ(whole(table, "sync", "time"), 20'000);
  EXPECT_EQ(whole(table, "launch", "time"), 10'000);
  EXPECT_EQ(whole(table, "cpu", "time"), 10'000);
  EXPECT_EQ(cell(table, row_named(table, "kernel"), "time_ratio"), Cell(0.6));
  EXPECT_EQ(whole(table, "kernel", "edges"), 1);
}

TEST(CriticalPathTable, TellsWhatIsInferred) {
  WrittenTimeline trace = waiting();
  const Table table = critical_path_table(trace.input());
  ASSERT_EQ(table.notes.size(), 3U);
  EXPECT_NE(table.notes[2].find("calls whose wait is inferred"), std::string::npos);
}

TEST(CriticalPathTable, SaysWhyThereIsNone) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 20);
  EXPECT_EQ(critical_path_table(trace.input()).reason,
            "no work of a device can be joined to the call that issued it");
  EXPECT_FALSE(critical_row_table(trace.input()).is_applicable());
}

TEST(CriticalRowTable, AddsUpRowsByNameAndPart) {
  WrittenTimeline trace = waiting();
  const Table table = critical_row_table(trace.input());
  EXPECT_EQ(whole(table, "aten::mm", "time"), 10'000);
  EXPECT_EQ(whole(table, "cudaDeviceSynchronize", "time"), 20'000);
  std::int64_t sum_ns = 0, gemm_rows = 0;
  for (const Row& row : table.rows) {
    sum_ns += std::get<std::int64_t>(cell(table, row, "time"));
    gemm_rows += row.front() == Cell(std::string("gemm")) ? 1 : 0;
  }
  EXPECT_EQ(sum_ns, 100'000);
  EXPECT_EQ(gemm_rows, 2);  // the launch delay before it, and itself
}

}  // namespace
}  // namespace tune::table
