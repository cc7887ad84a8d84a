#include "trace/table/operator_table.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::table {
namespace {

using profile::Category;
using profile::OpDetail;

// One step: a linear layer whose addmm launches a kernel, and a copy that no operator of the trace
// launched.
WrittenTimeline step_with_linear() {
  WrittenTimeline written;
  written.host(Category::user_annotation, "ProfilerStep#3", 0, 1000);
  written.op("aten::linear", 100, 400);
  OpDetail& addmm = written.detail(written.op("aten::addmm", 150, 300));
  addmm.input_dims = written.text("[[8],[4,16],[16,8],[],[]]");
  written.call("cudaLaunchKernel", 200, 50, 11);
  written.kernel("gemm", 300, 600, 11);
  written.copy("Memcpy HtoD (Pinned -> Device)", 950, 40, 12, 4096);
  written.memory(160, 512);
  written.memory(170, 2048, 1);
  written.memory(460, -512);
  written.memory(2000, -64);
  return written;
}

TEST(OperatorTable, HasWhatKeyAveragesHas) {
  WrittenTimeline written = step_with_linear();
  const Table table = operator_table(written.input());
  ASSERT_TRUE(table.is_applicable()) << table.reason;
  EXPECT_EQ(whole(table, "aten::addmm", "self_cpu_time_total"), 250'000);
  EXPECT_EQ(whole(table, "aten::addmm", "cpu_time_total"), 300'000);
  EXPECT_EQ(whole(table, "aten::linear", "self_cpu_time_total"), 100'000);
  EXPECT_EQ(whole(table, "cudaLaunchKernel", "self_cpu_time_total"), 50'000);
  EXPECT_EQ(whole(table, "ProfilerStep*", "self_cpu_time_total"), 600'000);
  EXPECT_EQ(whole(table, "aten::addmm", "self_device_time_total"), 600'000);
  EXPECT_EQ(whole(table, "aten::linear", "self_device_time_total"), 0);
  EXPECT_EQ(whole(table, "aten::linear", "device_time_total"), 600'000);
  EXPECT_EQ(whole(table, "cudaLaunchKernel", "device_time_total"), 0);
  EXPECT_EQ(whole(table, "aten::addmm", "self_cpu_memory_usage"), 512);
  EXPECT_EQ(whole(table, "aten::linear", "self_cpu_memory_usage"), -512);
  EXPECT_EQ(whole(table, "aten::linear", "cpu_memory_usage"), 0);
  EXPECT_EQ(whole(table, "ProfilerStep*", "device_memory_usage"), 2048);
  EXPECT_EQ(whole(table, "[memory]", "self_cpu_memory_usage"), -64);
  EXPECT_EQ(whole(table, "aten::addmm", "flops"), 2 * 4 * 16 * 8);
  EXPECT_EQ(cell(table, row_named(table, "aten::linear"), "flops"), Cell());
  EXPECT_EQ(cell(table, row_named(table, "aten::addmm"), "self_cpu_ratio"), Cell(0.25));
  EXPECT_EQ(cell(table, row_named(table, "aten::addmm"), "self_device_ratio"), Cell(600.0 / 640));
  EXPECT_EQ(table.notes[0], "Self CPU time total: 1.000ms");
  EXPECT_EQ(table.notes[1], "Self CUDA time total: 640.000us");
  EXPECT_EQ(table.notes[2], "of it launched by no operator of the trace: 40.000us in 1 rows");
}

TEST(OperatorTable, WithoutStepsItListsOperatorsAlone) {
  WrittenTimeline written = step_with_linear();
  const Table table = operator_table(written.input());
  const Table operators = without_steps(table);
  EXPECT_EQ(operators.rows.size(), table.rows.size() - 1);
  EXPECT_THROW(row_named(operators, "ProfilerStep*"), std::out_of_range);
  EXPECT_EQ(cell(operators, row_named(operators, "aten::addmm"), "self_cpu_ratio"), Cell(0.25));
}

TEST(OperatorTable, CountsCallsAndAverages) {
  WrittenTimeline written;
  written.op("aten::relu", 0, 10);
  written.op("aten::relu", 20, 30);
  const Table table = operator_table(written.input());
  EXPECT_EQ(whole(table, "aten::relu", "count"), 2);
  EXPECT_EQ(whole(table, "aten::relu", "cpu_time"), 20'000);
}

TEST(OperatorTable, LeavesOutColumnsOfWhatWasNotRecorded) {
  WrittenTimeline written;
  written.op("aten::relu", 0, 10);
  const Table table = operator_table(written.input());
  for (const char* const column :
       {"self_device_time_total", "cpu_memory_usage", "device_memory_usage", "flops"}) {
    EXPECT_EQ(column_index(table, column), table.columns.size()) << column;
  }
  EXPECT_EQ(table.notes.size(), 4U);
}

TEST(OperatorTable, IsNotApplicableWithoutOperators) {
  WrittenTimeline written;
  written.call("hipLaunchKernel", 0, 10, 1);
  written.kernel("k", 20, 10, 1);
  const Table table = operator_table(written.input());
  EXPECT_EQ(table.reason, "the trace has no operator row (ProfilerActivity.CPU records them)");
  EXPECT_TRUE(table.rows.empty());
}

TEST(OperatorTable, DeviceTimeIsThatOfLinkedRows) {
  WrittenTimeline written = step_with_linear();
  const Table table = operator_table(written.input());
  std::int64_t linked_ns = 0;
  for (const Row& row : table.rows) {
    linked_ns += std::get<std::int64_t>(cell(table, row, "self_device_time_total"));
  }
  EXPECT_EQ(linked_ns, 600'000);
}

TEST(OperatorTable, AnnotationsAndOperatorsOfOneNameAreTwoRows) {
  WrittenTimeline written;
  written.op("forward", 0, 10);
  written.host(Category::user_annotation, "forward", 20, 10);
  EXPECT_EQ(operator_table(written.input()).rows.size(), 2U);
}

TEST(OperatorTable, GroupsByShape) {
  WrittenTimeline written;
  written.detail(written.op("aten::mm", 0, 10)).input_dims = written.text("[[2,3],[3,4]]");
  written.detail(written.op("aten::mm", 20, 10)).input_dims = written.text("[[5,3],[3,4]]");
  written.detail(written.op("aten::mm", 40, 30)).input_dims = written.text("[[2,3],[3,4]]");
  const Table table = operator_table(written.input(), {GroupBy::Kind::shape});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(cell(table, table.rows[0], "input_shapes"), Cell("[[2,3],[3,4]]"));
  EXPECT_EQ(cell(table, table.rows[0], "count"), Cell(std::int64_t{2}));
  EXPECT_EQ(cell(table, table.rows[0], "flops"), Cell(std::int64_t{2 * 2 * 2 * 3 * 4}));
}

TEST(OperatorTable, CannotGroupByWhatWasNotRecorded) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 10);
  using Kind = GroupBy::Kind;
  EXPECT_NE(operator_table(written.input(), {Kind::shape}).reason.find("record_shapes=True"),
            std::string::npos);
  EXPECT_NE(operator_table(written.input(), {Kind::stack, 2}).reason.find("with_stack=True"),
            std::string::npos);
  EXPECT_NE(operator_table(written.input(), {Kind::module}).reason.find("with_modules=True"),
            std::string::npos);
}

TEST(OperatorTable, GroupsByTheFirstFramesOfWrittenStacks) {
  WrittenTimeline written;
  written.detail(written.op("aten::mm", 0, 10)).call_stack = written.text("a.py(1): f;m.py(9): g");
  written.detail(written.op("aten::mm", 20, 10)).call_stack = written.text("a.py(1): f;m.py(7): h");
  written.op("aten::mm", 40, 10);
  const Table one = operator_table(written.input(), {GroupBy::Kind::stack, 1});
  ASSERT_EQ(one.rows.size(), 2U);
  EXPECT_EQ(cell(one, one.rows[0], "stack"), Cell("a.py(1): f"));
  EXPECT_EQ(cell(one, one.rows[1], "stack"), Cell(""));
  const Table two = operator_table(written.input(), {GroupBy::Kind::stack, 2});
  ASSERT_EQ(two.rows.size(), 3U);
  EXPECT_EQ(cell(two, two.rows[0], "stack"), Cell("a.py(1): f\nm.py(9): g"));
}

// Frames around operators: train > Net > Linear; the backward operator runs on autograd's thread.
WrittenTimeline framed() {
  WrittenTimeline written;
  written.host(Category::python_function, "train.py(3): train", 0, 1000);
  written.host(Category::python_function, "nn.Module: Net_0", 10, 500);
  written.host(Category::python_function, "nn.Module: Linear_1", 20, 100);
  OpDetail& forward = written.detail(written.op("aten::addmm", 30, 50));
  forward.sequence_number = 5;
  forward.forward_thread = 0;
  written.op("aten::relu", 200, 50);
  written.op("aten::zeros", 700, 50);
  OpDetail& backward = written.detail(written.op("AddmmBackward0", 600, 90, "autograd"));
  backward.sequence_number = 5;
  backward.forward_thread = 1;
  written.op("aten::mm", 620, 50, "autograd");
  return written;
}

TEST(OperatorTable, GroupsByModuleAndFollowsBackwardToForward) {
  WrittenTimeline written = framed();
  const Table table = operator_table(written.input(), {GroupBy::Kind::module});
  const auto module_of = [&table](const char* name) {
    return std::get<std::string>(cell(table, row_named(table, name), "module"));
  };
  EXPECT_EQ(module_of("aten::addmm"), "Net_0.Linear_1");
  EXPECT_EQ(module_of("aten::relu"), "Net_0");
  EXPECT_EQ(module_of("aten::zeros"), "");
  EXPECT_EQ(module_of("AddmmBackward0"), "Net_0.Linear_1");
  EXPECT_EQ(module_of("aten::mm"), "Net_0.Linear_1");
}

TEST(OperatorTable, GroupsByPythonFramesAroundOperators) {
  WrittenTimeline written = framed();
  const Table table = operator_table(written.input(), {GroupBy::Kind::stack, 2});
  EXPECT_EQ(cell(table, row_named(table, "aten::relu"), "stack"),
            Cell("nn.Module: Net_0\ntrain.py(3): train"));
  EXPECT_EQ(cell(table, row_named(table, "aten::zeros"), "stack"), Cell("train.py(3): train"));
}

}  // namespace
}  // namespace tune::table
