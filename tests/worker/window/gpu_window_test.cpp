#include "worker/gpu_window.h"

#include "stand_in_gpu.h"

#include <gtest/gtest.h>

namespace tune::worker {

namespace {

using Asked = std::vector<std::string>;

TEST(GpuWindow, BeginsWithAnIdleDeviceAndForgetsWhatWasBefore) {
  StandInGpu gpu;
  gpu.steps.resize(3);
  GpuWindow window(gpu);
  window.begin();
  EXPECT_EQ(gpu.asked, (Asked{"synchronize", "collect", "restart_memory_peaks"}));
  EXPECT_TRUE(window.wait().empty());
}

TEST(GpuWindow, StepsAreThoseOfTheTimer) {
  StandInGpu gpu;
  gpu.steps = {{1, 2, 3, 4, 5}, {.gap_ns = 10, .optimizer_ns = 50, .graph_ns = 60}};
  const auto steps = GpuWindow(gpu).wait();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0], (trial::DevicePhaseSums{1, 2, 3, 4, 5}));
  EXPECT_EQ(steps[1].idle_ns, 10);
  EXPECT_EQ(steps[1].optimizer_ns, 50);
  EXPECT_EQ(steps[1].graph_ns, 60);
  EXPECT_EQ(gpu.asked, (Asked{"synchronize", "collect"})) << "it waits for all streams first";
}

TEST(GpuWindow, WaitingForOtherProcessesIsPartOfTheBackwardPassAndKnownApart) {
  StandInGpu gpu;
  GpuWindow window(gpu);
  gpu.steps = {{.backward_ns = 4, .communication_ns = 9}};
  window.begin();
  gpu.steps = {{.backward_ns = 4, .communication_ns = 1},
               {.backward_ns = 40, .communication_ns = 20}};
  const auto steps = window.wait();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].backward_ns, 5);
  EXPECT_EQ(steps[1].backward_ns, 60);
  EXPECT_EQ(window.communication_ns(), 21) << "since begin()";
}

TEST(GpuWindow, MemoryIsTheAllocators) {
  StandInGpu gpu;
  gpu.cuda_memory = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(GpuWindow(gpu).memory(), (trial::DeviceMemory{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(GpuWindow, FactsAreThoseOfTheDevice) {
  CudaFacts facts;
  facts.name = "H100";
  facts.uuid = "GPU-1";
  facts.compute_major = 9;
  facts.memory_bytes = 1 << 30;
  facts.multiprocessors = 132;
  facts.driver_version = 13010;
  facts.runtime_version = 13000;
  facts.cupti_version = 130001;
  facts.cudnn_version = 91900;
  EXPECT_EQ(gpu_facts(facts),
            (trial::GpuFacts{"H100", "GPU-1", 9, 0, 1 << 30, 132, 13010, 13000, 130001, 91900}));
}
const std::vector<std::int64_t> kEdges = {10, 20, 30};

TEST(GpuTrace, AttachesForgetsTheWarmUpAndFinishesWithTheEdges) {
  StandInGpu gpu;
  gpu.result.trace.names = {"add_one"};
  GpuTrace trace(gpu.trace());
  trace.start();
  trace.discard();
  const auto found = trace.finish(kEdges);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->trace.names, std::vector<std::string>{"add_one"});
  EXPECT_EQ(gpu.asked, (Asked{"start", "discard", "finish"}));
  EXPECT_EQ(gpu.finished_with, kEdges);
  EXPECT_EQ(trace.reason(), "");
  EXPECT_FALSE(trace.finish(kEdges)) << "there is only one session";
}

TEST(GpuTrace, WhatCannotBeAttachedIsNeverAskedAgain) {
  StandInGpu gpu;
  gpu.unavailable = Unavailable{"busy", "nsys records this process"};
  GpuTrace trace(gpu.trace());
  trace.start();
  trace.discard();
  EXPECT_FALSE(trace.finish(kEdges));
  EXPECT_EQ(gpu.asked, Asked{"start"});
  EXPECT_EQ(trace.reason(), "nsys records this process (busy)");
}

TEST(GpuTrace, AFailureOnTheWayIsTheReasonAndStillDetaches) {
  StandInGpu gpu;
  gpu.fails_to_discard = true;
  gpu.result.check.problems = {"no kernel was recorded"};
  GpuTrace trace(gpu.trace());
  trace.start();
  trace.discard();
  EXPECT_FALSE(trace.finish(kEdges));
  EXPECT_EQ(gpu.asked, (Asked{"start", "discard", "finish"}));
  EXPECT_EQ(trace.reason(), "cuptiActivityFlushAll: broken (999) (cupti_error)");
}

TEST(GpuTrace, BetweenWindowsItMakesRoom) {
  StandInGpu gpu;
  GpuTrace trace(gpu.trace());
  trace.decode();  // not attached
  trace.start();
  trace.discard();
  trace.decode();
  trace.discard();
  ASSERT_TRUE(trace.finish(kEdges));
  trace.decode();
  EXPECT_EQ(gpu.asked, (Asked{"start", "discard", "decode", "discard", "finish"}));
}

TEST(GpuTrace, WhatIsNotFinishedDetachesWithItsEnd) {
  StandInGpu gpu;
  { GpuTrace(gpu.trace()).start(); }
  EXPECT_EQ(gpu.asked, (Asked{"start", "finish"}));
  gpu.asked.clear();
  {
    GpuTrace trace(gpu.trace());
    trace.start();
    trace.finish(kEdges);
  }
  { const GpuTrace never_started(gpu.trace()); }
  EXPECT_EQ(gpu.asked, (Asked{"start", "finish"}));
}

TEST(GpuTrace, ATraceThatIsNotValidIsNone) {
  StandInGpu gpu;
  gpu.result.check.problems = {"a", "b", "c", "d", "e"};
  GpuTrace trace(gpu.trace());
  trace.start();
  EXPECT_FALSE(trace.finish(kEdges));
  EXPECT_EQ(trace.reason(), "a; b; c; and 2 more (invalid_trace)");
}

}  // namespace

}  // namespace tune::worker
