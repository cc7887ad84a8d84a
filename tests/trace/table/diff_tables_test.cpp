#include "trace/table/diff_tables.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::table {
namespace {

using profile::Category;

// Marks `steps` steps of 100 us, each with one aten::mm and one kernel within.
void add_steps(WrittenTimeline& trace, int steps, double op_us, double kernel_us) {
  for (int i = 0; i < steps; ++i) {
    const double begin_us = i * 100.0;
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i), begin_us, 100);
    trace.op("aten::mm", begin_us + 10, op_us);
    trace.call("cudaLaunchKernel", begin_us + 12, 2, i + 1);
    trace.kernel("gemm", begin_us + 20, kernel_us, i + 1);
  }
}

TraceSide side_of(int steps, double op_us, double kernel_us) {
  WrittenTimeline trace;
  add_steps(trace, steps, op_us, kernel_us);
  return take_side(trace.input());
}

TraceSide side_of_cpu() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  trace.op("aten::mm", 10, 20);
  return take_side(trace.input());
}

TEST(DiffTables, ComparePerStepWhateverTheNumberOfSteps) {
  const TraceSide before = side_of(1, 30, 40);
  const TraceSide after = side_of(3, 20, 60);
  const Table operators = operator_diff(before, after);
  EXPECT_EQ(whole(operators, "aten::mm", "self_cpu_before"), 28'000);
  EXPECT_EQ(whole(operators, "aten::mm", "self_cpu_change"), -10'000);
  EXPECT_EQ(whole(operators, "aten::mm", "self_device_change"), 20'000);
  const Row& row = row_named(operators, "aten::mm");
  EXPECT_EQ(cell(operators, row, "calls_before"), Cell(1.0));
  EXPECT_EQ(cell(operators, row, "calls_after"), Cell(1.0));
  const Table kernels = kernel_diff(before, after);
  EXPECT_EQ(whole(kernels, "gemm", "change"), 20'000);
  EXPECT_EQ(cell(kernels, row_named(kernels, "gemm"), "change_ratio"), Cell(0.5));
}

TEST(DiffTables, PartsAndStepSumUp) {
  const Table parts = partition_diff(side_of(1, 30, 40), side_of(3, 20, 60));
  ASSERT_EQ(parts.rows.size(), profile::kRoles + 1);
  EXPECT_EQ(whole(parts, "kernel", "change"), 20'000);
  EXPECT_EQ(whole(parts, "step", "change"), 0);
  std::int64_t sum_ns = 0;
  for (const Row& row : parts.rows) {
    sum_ns += row.front() == Cell("step") ? 0 : std::get<std::int64_t>(cell(parts, row, "change"));
  }
  EXPECT_EQ(sum_ns, 0);
  EXPECT_EQ(parts.rows.back().front(), Cell("step"));
  EXPECT_EQ(parts.rows.front().front(), Cell("kernel"));  // changed most, with other
}

TEST(DiffTables, WhatOneTraceLacksHasNoCalls) {
  WrittenTimeline trace;
  add_steps(trace, 1, 30, 40);
  trace.op("aten::add", 80, 5);
  const Table operators = operator_diff(side_of(1, 30, 40), take_side(trace.input()));
  const Row& row = row_named(operators, "aten::add");
  EXPECT_EQ(cell(operators, row, "calls_before"), Cell(0.0));
  EXPECT_EQ(cell(operators, row, "self_cpu_change"), Cell(std::int64_t{5'000}));
  EXPECT_EQ(cell(operators, row, "self_cpu_change_ratio"), Cell());
}

TEST(DiffTables, OneOfTheCpuAloneIsComparedOnTheHostOnly) {
  const TraceSide before = side_of(1, 30, 40);
  TraceSide after = side_of_cpu();
  after.file = "cpu.json";
  const Table parts = partition_diff(before, after);
  ASSERT_EQ(parts.rows.size(), 1U);
  EXPECT_EQ(whole(parts, "step", "after"), 100'000);
  EXPECT_NE(parts.notes.front().find("cpu.json has rows of the CPU alone"), std::string::npos);
  const Table operators = operator_diff(before, after);
  EXPECT_EQ(whole(operators, "aten::mm", "self_cpu_change"), -8'000);
  EXPECT_EQ(column_index(operators, "self_device_change"), operators.columns.size());
  EXPECT_NE(kernel_diff(before, after).reason.find("cpu.json: the trace has no kernel"),
            std::string::npos);
}

TEST(DiffTables, WithoutMarkedStepsOnOneSideNothingIsComparable) {
  WrittenTimeline trace;
  trace.op("aten::mm", 10, 20);
  const TraceSide after = take_side(trace.input());
  for (const Table& table : diff_tables(side_of(1, 30, 40), after)) {
    EXPECT_FALSE(table.is_applicable()) << table.id;
    EXPECT_NE(table.reason.find("no step is marked"), std::string::npos);
  }
}

}  // namespace
}  // namespace tune::table
