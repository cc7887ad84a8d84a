#include "worker/recorder/device_side.h"

#include "sample_recording.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace tune::worker {

namespace {

// A host of one thread, and what it launched.
class Sample {
 public:
  std::size_t add_row(const std::string& name,
                      std::int64_t start_ns,
                      std::int64_t end_ns,
                      EventKind kind = EventKind::op) {
    TraceRow row;
    row.name = recording.name(name);
    row.start_ns = start_ns;
    row.end_ns = end_ns;
    row.kind = kind;
    rows.rows.push_back(row);
    return rows.rows.size() - 1;
  }

  // A call of 2 ns and a kernel of 10.
  void launch(std::int64_t call_ns, std::int64_t start_ns, std::uint32_t stream = 7) {
    ++correlation;
    CallRow call;
    call.start_ns = call_ns;
    call.end_ns = call_ns + 2;
    call.thread = static_cast<std::uint32_t>(gettid());
    call.correlation = correlation;
    trace.calls.push_back(call);
    KernelRow kernel;
    kernel.start_ns = start_ns;
    kernel.end_ns = start_ns + 10;
    kernel.stream = stream;
    kernel.correlation = correlation;
    trace.kernels.push_back(kernel);
  }

  DeviceSide join(const std::vector<TraceWindow>& windows = everything()) {
    trace.names = {"kernel"};
    return join_device(std::move(trace), CudaFacts(), recording.recording, rows, windows);
  }

  SampleRecording recording;
  TraceRows rows;
  DeviceTrace trace;
  std::uint32_t correlation = 0;
};

TEST(DeviceSide, ACallBelongsToTheInnermostOperatorThatIsOpen) {
  Sample sample;
  const std::size_t outer = sample.add_row("aten::linear", 100, 200);
  const std::size_t inner = sample.add_row("aten::mm", 120, 150);
  sample.launch(130, 300);
  sample.launch(160, 320);
  sample.launch(250, 340);  // without an operator
  const DeviceSide side = sample.join();
  EXPECT_EQ(side.operators.size(), 2U);
  EXPECT_EQ(side.operators.at(1), inner);
  EXPECT_EQ(side.operators.at(2), outer);
}

TEST(DeviceSide, AnOperatorThatEndsWhenTheCallBeginsIsOver) {
  Sample sample;
  sample.add_row("aten::mm", 100, 150);
  sample.launch(150, 300);
  EXPECT_TRUE(sample.join().operators.empty());
}

TEST(DeviceSide, CallsOfOtherThreadsFindNothing) {
  Sample sample;
  sample.add_row("aten::mm", 100, 150);
  sample.launch(120, 300);
  sample.trace.calls[0].thread += 1;
  EXPECT_TRUE(sample.join().operators.empty());
}

TEST(DeviceSide, RangesAreNoOperators) {
  Sample sample;
  sample.add_row("forward", 100, 150, EventKind::annotation);
  sample.launch(120, 300);
  EXPECT_TRUE(sample.join().operators.empty());
}

TEST(DeviceSide, ARangeReachesFromItsFirstWorkToItsLastOnEachStream) {
  Sample sample;
  const std::size_t step = sample.add_row("ProfilerStep#3", 0, 400, EventKind::annotation);
  const std::size_t forward = sample.add_row("forward", 100, 200, EventKind::annotation);
  sample.add_row("aten::mm", 110, 120);
  sample.launch(110, 300);
  sample.launch(150, 320);
  sample.launch(160, 310, /*stream=*/13);
  sample.launch(250, 350);
  const DeviceSide side = sample.join();
  ASSERT_EQ(side.annotations.size(), 4U);
  for (const DeviceAnnotation& found : side.annotations) {
    const bool is_side_stream = found.stream == 13;
    const bool is_step = found.row == step;
    EXPECT_TRUE(is_step || found.row == forward);
    EXPECT_EQ(found.start_ns, is_side_stream ? 310 : 300);
    EXPECT_EQ(found.end_ns, is_side_stream ? 320 : is_step ? 360 : 330);
  }
}

TEST(DeviceSide, OutsideOfTheWindowsNothingIsKept) {
  Sample sample;
  sample.launch(50, 90);  // runs into the window
  sample.launch(110, 120);
  sample.launch(190, 195);  // runs out of it
  sample.launch(300, 310);
  const DeviceSide side = sample.join({{100, 200}, {305, 400}});
  ASSERT_EQ(side.trace.kernels.size(), 2U);
  EXPECT_EQ(side.trace.kernels[0].correlation, 2U);
  EXPECT_EQ(side.trace.kernels[1].correlation, 4U);
  EXPECT_EQ(side.trace.calls.size(), 2U) << "the second and the third";
  EXPECT_EQ(side.count(), 4);
}

TEST(DeviceSide, LongNamesNeedRoom) {
  Sample sample;
  sample.launch(10, 20);
  DeviceSide side = sample.join();
  const std::int64_t before = side.json_bytes_at_most();
  side.trace.names[0] = std::string(5'000, 'x');
  EXPECT_GE(side.json_bytes_at_most(), before + 4'000);
}

// NVIDIA's data sheets.
CudaFacts h100() {
  CudaFacts gpu;
  gpu.compute_major = 9;
  gpu.multiprocessors = 132;
  gpu.warp_size = 32;
  gpu.threads_per_multiprocessor = 2'048;
  gpu.registers_per_multiprocessor = 65'536;
  gpu.shared_per_multiprocessor = 233'472;
  return gpu;
}

KernelRow kernel(std::int32_t blocks, std::int32_t threads, std::int32_t registers) {
  KernelRow row;
  row.grid = {blocks, 1, 1};
  row.block = {threads, 1, 1};
  row.registers = registers;
  return row;
}

TEST(KernelOccupancy, BlocksAndWarpsAreSpreadOverTheMultiprocessors) {
  KernelRow row = kernel(64, 128, 32);
  row.grid = {66, 2, 1};
  EXPECT_DOUBLE_EQ(blocks_per_multiprocessor(row, h100()), 1);
  EXPECT_DOUBLE_EQ(warps_per_multiprocessor(row, h100()), 4);
}

// Results of the occupancy calculator.
TEST(KernelOccupancy, EachResourceCanBeTheLimit) {
  EXPECT_EQ(blocks_at_once(kernel(1, 1'024, 32), h100()), 2) << "threads";
  EXPECT_EQ(blocks_at_once(kernel(1, 32, 16), h100()), 32) << "blocks";
  EXPECT_EQ(blocks_at_once(kernel(1, 256, 255), h100()), 1) << "registers: 8 warps of 8,192";
  EXPECT_EQ(blocks_at_once(kernel(1, 256, 64), h100()), 4) << "registers";
  KernelRow row = kernel(1, 128, 32);
  row.static_shared = 1'024;
  row.dynamic_shared = 98'304;
  EXPECT_EQ(blocks_at_once(row, h100()), 2) << "shared memory, and 1 KiB of the system's";
}

TEST(KernelOccupancy, IsOfWhatIsThereToRun) {
  EXPECT_EQ(occupancy_percent(kernel(132 * 8, 256, 32), h100()), 100);
  EXPECT_EQ(occupancy_percent(kernel(132 * 100, 256, 32), h100()), 100) << "at most as many as fit";
  EXPECT_EQ(occupancy_percent(kernel(132, 256, 32), h100()), 13) << "256 of 2,048 threads";
  EXPECT_EQ(occupancy_percent(kernel(132 * 8, 256, 64), h100()), 50);
  EXPECT_EQ(occupancy_percent(kernel(1, 32, 32), h100()), 0);
}

TEST(KernelOccupancy, OfADeviceThatSaysNothingThereIsNone) {
  const KernelRow row = kernel(8, 128, 32);
  EXPECT_EQ(occupancy_percent(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_at_once(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_per_multiprocessor(row, CudaFacts()), 0);
  EXPECT_EQ(warps_per_multiprocessor(row, CudaFacts()), 0);
  EXPECT_EQ(blocks_at_once(KernelRow(), h100()), 0) << "a kernel without threads";
}

}  // namespace

}  // namespace tune::worker
