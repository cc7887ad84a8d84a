#include "worker/gpu_trace.h"

#include "stand_in_gpu.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

using Asked = std::vector<std::string>;
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
  EXPECT_FALSE(trace.finish(kEdges)) << "there is one session";
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
