#include "trace/table/memory_tables.h"

#include "trace/table/cell_text.h"
#include "trace/table/operator_table.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::table {
namespace {

struct Levels {
  std::int64_t allocated = 0, reserved = 0, address = 0;
};

void add(WrittenTimeline& written, double time_us, std::int64_t bytes, const Levels& levels) {
  profile::MemoryEvent& event = written.memory(time_us, bytes, 1);
  event.total_allocated_bytes = levels.allocated;
  event.total_reserved_bytes = levels.reserved;
  event.address = levels.address;
}

WrittenTimeline conv_with_workspace() {
  WrittenTimeline written;
  written.op("aten::conv2d", 0, 100);
  written.op("aten::empty", 10, 10);
  add(written, 15, 4096, {5096, 8192, 1});
  add(written, 50, 1 << 20, {(1 << 20) + 5096, 4 << 20, 2});
  add(written, 80, -(1 << 20), {5096, 4 << 20, 2});
  return written;
}

TEST(MemoryTable, HasPeaksWithTheirOperator) {
  WrittenTimeline written = conv_with_workspace();
  const Table table = memory_table(written.input());
  EXPECT_EQ(whole(table, "CUDA 0", "peak_allocated"), (1 << 20) + 5096);
  EXPECT_EQ(whole(table, "CUDA 0", "peak_reserved"), 4 << 20);
  EXPECT_EQ(whole(table, "CUDA 0", "peak_at"), 50'000);
  EXPECT_EQ(whole(table, "CUDA 0", "allocations"), 2);
  EXPECT_EQ(whole(table, "CUDA 0", "frees"), 1);
  EXPECT_EQ(whole(table, "CUDA 0", "allocated_in_all"), (1 << 20) + 4096);
  EXPECT_EQ(cell(table, table.rows[0], "operator"), Cell("aten::conv2d"));
  EXPECT_TRUE(table.notes.empty());
}

TEST(MemoryTable, CountsFromTheBeginWhereTotalsAreNotRecorded) {
  WrittenTimeline written;
  written.op("aten::empty", 0, 10);
  written.memory(1, 100);
  written.memory(2, 50);
  written.memory(3, -120);
  const Table table = memory_table(written.input());
  EXPECT_EQ(whole(table, "CPU", "peak_allocated"), 150);
  EXPECT_EQ(cell(table, table.rows[0], "peak_reserved"), Cell());
  EXPECT_EQ(table.notes.size(), 1U);
}

// Sizes of a broken trace must not make a sum wrap around.
TEST(MemoryTables, SumsThatDoNotFitAreTheLargestThatDo) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  WrittenTimeline written;
  written.op("aten::empty", 0, 10);
  written.memory(1, kMost - 5);
  written.memory(2, 100);
  written.memory(3, -kMost);
  written.memory(4, -kMost);
  written.memory(5, -kMost);
  const Table table = memory_table(written.input());
  EXPECT_EQ(whole(table, "CPU", "peak_allocated"), kMost);
  EXPECT_EQ(whole(table, "CPU", "allocated_in_all"), kMost);
  const Table curve = memory_timeline_table(written.input(), 5);
  EXPECT_EQ(cell(curve, curve.rows.back(), "allocated"), Cell(-kMost));
  EXPECT_EQ(cell_text(curve.rows.back()[2], Quantity::bytes).front(), '-');
  EXPECT_EQ(whole(operator_table(written.input()), "aten::empty", "self_cpu_memory_usage"), -kMost);
}

TEST(MemoryTable, SumsThatNoNumberHoldsStopAtTheLargest) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  WrittenTimeline written;
  written.op("aten::empty", 0, 10);
  written.memory(1, kMost);
  written.memory(2, kMost);
  const Table table = memory_table(written.input());
  EXPECT_EQ(whole(table, "CPU", "peak_allocated"), kMost);
  EXPECT_EQ(whole(table, "CPU", "allocated_in_all"), kMost);
}

TEST(MemoryTimeline, KeepsPeaksWhenItIsThinnedOut) {
  WrittenTimeline written;
  written.op("aten::empty", 0, 2000);
  for (int i = 0; i < 1000; ++i) {
    written.memory(i, i == 500 ? 1'000'000 : i == 501 ? -1'000'000 : 1);
  }
  const Table table = memory_timeline_table(written.input(), 10);
  EXPECT_EQ(table.rows.size(), 10U);
  std::int64_t most = 0;
  for (const Row& row : table.rows) {
    most = std::max(most, std::get<std::int64_t>(cell(table, row, "allocated")));
  }
  EXPECT_EQ(most, 1'000'500);
}

TEST(AllocationTable, HasTheLargestWithOperatorAndLifetime) {
  WrittenTimeline written = conv_with_workspace();
  const Table table = allocation_table(written.input());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(cell(table, table.rows[0], "bytes"), Cell(std::int64_t{1 << 20}));
  EXPECT_EQ(cell(table, table.rows[0], "lifetime"), Cell(std::int64_t{30'000}));
  EXPECT_EQ(cell(table, table.rows[0], "operator"), Cell("aten::conv2d"));
  EXPECT_EQ(cell(table, table.rows[1], "operator"), Cell("aten::empty in aten::conv2d"));
  EXPECT_EQ(cell(table, table.rows[1], "lifetime"), Cell());
}

TEST(AllocationTable, TheFreeOfAnAllocationTooSmallForTheTableIsNotTheLargeOnes) {
  WrittenTimeline written;
  written.op("aten::empty", 0, 1000);
  add(written, 1, 1 << 20, {0, 0, 7});
  add(written, 2, 1, {0, 0, 7});  // the free of the first is not in the trace
  add(written, 3, -1, {0, 0, 7});
  for (int i = 0; i < 100; ++i) {
    add(written, 10 + 2 * i, 4096, {0, 0, 100 + i});
    add(written, 11 + 2 * i, -4096, {0, 0, 100 + i});
  }
  const Table table = allocation_table(written.input());
  ASSERT_EQ(table.rows.size(), 100U);
  EXPECT_EQ(cell(table, table.rows[0], "bytes"), Cell(std::int64_t{1 << 20}));
  EXPECT_EQ(cell(table, table.rows[0], "lifetime"), Cell());
  EXPECT_EQ(cell(table, table.rows[1], "lifetime"), Cell(std::int64_t{1'000}));
  EXPECT_EQ(table.left_out, 2U);
}

TEST(MemoryTables, AreNotApplicableWithoutMemoryRows) {
  WrittenTimeline written;
  written.op("aten::empty", 0, 10);
  for (const Table& table : {memory_table(written.input()),
                             memory_timeline_table(written.input()),
                             allocation_table(written.input())}) {
    EXPECT_FALSE(table.is_applicable()) << table.id;
  }
}

}  // namespace
}  // namespace tune::table
