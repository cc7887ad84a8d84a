#include "trace/table/phase_table.h"
#include "trace/table/step_table.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::table {
namespace {

using profile::Category;

constexpr const char* kLoader = "enumerate(DataLoader)#_SingleProcess.__next__";

// Two steps of 1 ms; forward waits for its copy, backward runs on a thread of its own.
WrittenTimeline two_steps() {
  WrittenTimeline written;
  for (int step = 0; step < 2; ++step) {
    const double at = step * 1000.0;
    const std::int64_t id = 10 * (step + 1);
    const auto annotate = [&](const std::string& name, double start_us, double duration_us) {
      written.host(Category::user_annotation, name, at + start_us, duration_us);
    };
    annotate("ProfilerStep#" + std::to_string(step), 0, 1000);
    annotate(kLoader, 0, 100);
    annotate("forward", 100, 200);
    written.op("aten::mm", at + 110, 80);
    written.call("cudaLaunchKernel", at + 120, 10, id);
    written.call("cudaDeviceSynchronize", at + 200, 90, id + 1);
    written.kernel("gemm", at + 150, 140, id);
    written.op("autograd::engine::evaluate_function: MmBackward0", at + 400, 200, "autograd");
    written.call("cudaLaunchKernel", at + 420, 10, id + 2, "autograd");
    written.kernel("gemm", at + 450, 100, id + 2);
    annotate("Optimizer.step#SGD.step", 700, 100);
    annotate("Optimizer.zero_grad#SGD.zero_grad", 710, 20);
  }
  return written;
}

TEST(StepTable, HasThePartsOfEachStep) {
  WrittenTimeline written = two_steps();
  const Table table = step_table(written.input());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(whole(table, "ProfilerStep#1", "duration"), 1'000'000);
  EXPECT_EQ(whole(table, "ProfilerStep#1", "kernel"), 240'000);
  EXPECT_EQ(whole(table, "ProfilerStep#1", "batch_wait"), 100'000);
  EXPECT_EQ(whole(table, "ProfilerStep#1", "kernels"), 2);
  EXPECT_EQ(whole(table, "ProfilerStep#1", "launches"), 2);
  for (const Row& row : table.rows) {
    std::int64_t sum_ns = 0;
    for (std::size_t role = 0; role < profile::kRoles; ++role) {
      sum_ns += std::get<std::int64_t>(
          cell(table, row, profile::role_name(static_cast<profile::Role>(role))));
    }
    EXPECT_EQ(Cell(sum_ns), cell(table, row, "duration"));
  }
}

TEST(StepTable, LeavesOutDevicesOnATraceOfTheCpu) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 40);
  const Table table = step_table(written.input());
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(column_index(table, "kernel"), table.columns.size());
  EXPECT_EQ(cell(table, table.rows[0], "batch_wait"), Cell());
  EXPECT_EQ(table.notes.size(), 3U);
}

TEST(PhaseTable, SumsHostDeviceAndWait) {
  WrittenTimeline written = two_steps();
  const Table table = phase_table(written.input());
  EXPECT_EQ(whole(table, "data loading", "cpu_time"), 200'000);
  EXPECT_EQ(whole(table, "forward", "cpu_time"), 400'000);
  EXPECT_EQ(whole(table, "forward", "gpu_time"), 280'000);
  EXPECT_EQ(whole(table, "forward", "host_wait"), 180'000);
  EXPECT_EQ(whole(table, "backward", "cpu_time"), 400'000);
  EXPECT_EQ(whole(table, "backward", "gpu_time"), 200'000);
  EXPECT_EQ(whole(table, "backward", "host_wait"), 0);
  EXPECT_EQ(whole(table, "optimizer", "cpu_time"), 160'000);
  EXPECT_EQ(whole(table, "zero_grad", "cpu_time"), 40'000);
  EXPECT_EQ(whole(table, "outside", "cpu_time"), 2 * (1000 - 100 - 200 - 100) * 1000);
  EXPECT_EQ(cell(table, row_named(table, "forward"), "marked_by"), Cell("name"));
  EXPECT_EQ(cell(table, row_named(table, "backward"), "marked_by"), Cell("autograd"));
}

TEST(PhaseTable, KnowsForwardByTheSequenceNumbersOfBackward) {
  WrittenTimeline written;
  written.detail(written.op("aten::mm", 0, 40)).sequence_number = 3;
  written.detail(written.op("aten::argmax", 50, 40)).sequence_number = 4;
  auto& backward = written.detail(written.op("MmBackward0", 100, 40));
  backward.sequence_number = 3;
  backward.forward_thread = 1;
  const Table table = phase_table(written.input());
  EXPECT_EQ(whole(table, "forward", "cpu_time"), 40'000);
  EXPECT_EQ(whole(table, "backward", "cpu_time"), 40'000);
  EXPECT_EQ(whole(table, "outside", "cpu_time"), 40'000);
  EXPECT_EQ(cell(table, row_named(table, "forward"), "gpu_time"), Cell());
}

// What records no gradient has the number of the next operator that does.
TEST(PhaseTable, KnowsThatForwardHasNotBegunBeforeAnotherPassEnds) {
  WrittenTimeline written;
  written.host(Category::user_annotation, "ProfilerStep#1", 0, 200);
  const auto numbered = [&written](const char* name, double at_us, std::int64_t number) {
    written.detail(written.op(name, at_us, 10)).sequence_number = number;
  };
  const auto backward = [&written](double at_us, std::int64_t number) {
    profile::OpDetail& node = written.detail(written.op("MmBackward0", at_us, 10));
    node.sequence_number = number;
    node.forward_thread = 1;
  };
  numbered("aten::randn", 0, 3);  // of the batch: nothing lies between
  numbered("aten::mm", 20, 3);
  numbered("aten::argmax", 40, 4);
  backward(60, 3);
  numbered("aten::norm", 80, 4);
  numbered("aten::tanh", 100, 4);
  backward(120, 4);
  numbered("aten::lerp", 140, 5);
  written.host(Category::user_annotation, "ProfilerStep#2", 200, 200);
  numbered("aten::mm", 220, 5);
  backward(240, 5);
  const profile::Timeline& timeline = written.timeline();
  const HostTree tree = nest_host_rows(timeline);
  const auto phases = find_phases(
      timeline, tree, std::vector<std::uint32_t>(timeline.events.size(), profile::kNone));
  std::vector<std::string> forward;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i] == Phase::forward) {
      forward.emplace_back(timeline.name(timeline.events[i]));
    }
  }
  EXPECT_EQ(forward,
            (std::vector<std::string>{
                "aten::randn", "aten::mm", "aten::norm", "aten::tanh", "aten::mm"}));
}

TEST(PhaseTable, IsNotApplicableWithoutPhases) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 40);
  EXPECT_FALSE(phase_table(written.input()).is_applicable());
}

}  // namespace
}  // namespace tune::table
