#include "trace/metric/window_trust.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr double kMs = 1000;

TEST(Startup, IsTimeInFirstCallsWhileNoDeviceWorks) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000 * kMs);
  trace.call("cudaFree", 0, 200 * kMs, -1);
  trace.call("cudaLaunchKernel", 300 * kMs, 100 * kMs, 1);
  for (int i = 0; i < 5; ++i) {
    trace.call("cudaLaunchKernel", (500 + i) * kMs, 5, 2 + i);
  }
  trace.kernel("k", 350 * kMs, 50 * kMs, 1);  // the launch is waited for behind it
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0.25);
}

TEST(Startup, IsNoCallThatAlwaysTakesAsLongNorOneThatWaits) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000 * kMs);
  for (int i = 0; i < 5; ++i) {
    trace.call("cudaMalloc", i * 20 * kMs, 10 * kMs, -1);
  }
  trace.call("cudaDeviceSynchronize", 200 * kMs, 300 * kMs, -1);
  trace.call("cudaEventQuery", 600 * kMs, 100 * kMs, -1);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0);
}

TEST(Startup, IsTheFirstLaunchOfAKernelHoweverFewAreLaunched) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100 * kMs);
  trace.call("cudaLaunchKernel", 0, 17 * kMs, 1);  // four calls say little of what is usual
  trace.call("cudaLaunchKernel", 20 * kMs, 8 * kMs, 2);
  trace.call("cudaLaunchKernel", 40 * kMs, 0.01 * kMs, 3);
  trace.call("cudaLaunchKernel", 50 * kMs, 5 * kMs, 4);  // slow, but the kernel is loaded
  trace.kernel("a", 18 * kMs, 0.01 * kMs, 1);
  trace.kernel("b", 29 * kMs, 0.01 * kMs, 2);
  trace.kernel("a", 41 * kMs, 0.01 * kMs, 3);
  trace.kernel("b", 56 * kMs, 0.01 * kMs, 4);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0.25);
}

TEST(Startup, IsCompilingInTheFirstSteps) {
  const auto metrics = [](std::initializer_list<int> compiling_steps) {
    WrittenTimeline trace;
    for (int step = 0; step < 4; ++step) {
      trace.host(Category::user_annotation,
                 "ProfilerStep#" + std::to_string(step),
                 step * 100 * kMs,
                 100 * kMs);
    }
    for (const int step : compiling_steps) {
      trace.op("compile_fx_inner (dynamo_timed)", (step * 100 + 10) * kMs, 50 * kMs);
    }
    return window_trust(examine(trace.timeline()));
  };
  EXPECT_DOUBLE_EQ(value(metrics({0, 1}), "startup_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(value(metrics({0, 1}), "recompile_ratio"), 0);
  EXPECT_DOUBLE_EQ(value(metrics({3}), "startup_ratio"), 0.125) << "once";
  EXPECT_DOUBLE_EQ(value(metrics({0, 3}), "startup_ratio"), 0);
  EXPECT_DOUBLE_EQ(value(metrics({0, 3}), "recompile_ratio"), 0.25);
}

TEST(Startup, IsAFirstStepThatTakesFarLonger) {
  const auto startup = [](double first_ms) {
    WrittenTimeline trace;
    trace.host(Category::user_annotation, "ProfilerStep#1", 0, first_ms * kMs);
    for (int step = 0; step < 2; ++step) {
      trace.host(Category::user_annotation,
                 "ProfilerStep#" + std::to_string(step + 2),
                 (first_ms + step * 10) * kMs,
                 10 * kMs);
    }
    return value(window_trust(examine(trace.timeline())), "startup_ratio");
  };
  EXPECT_DOUBLE_EQ(startup(180), 170.0 / 200);
  EXPECT_DOUBLE_EQ(startup(90), 0);
}

TEST(Startup, IsEachLongCallOfANameThatIsCalledAFewTimes) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000 * kMs);
  trace.call("cudaFree", 0, 100 * kMs, -1);
  trace.call("cudaFree", 100 * kMs, 300 * kMs, -1);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0.4);
}

TEST(Startup, IsNoSlowCallThatComesAgainToTheEnd) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000 * kMs);
  for (int i = 0; i < 10; ++i) {  // a long one in each tenth of the window
    trace.call("hipFree", i * 100 * kMs, 50 * kMs, -1);
    for (int j = 0; j < 9; ++j) {
      trace.call("hipFree", (i * 100 + 60 + j) * kMs, 0.1 * kMs, -1);
    }
  }
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0);
}

TEST(Startup, IsWhatTorchCompileAndLoadedModulesSay) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100 * kMs);
  trace.host(Category::user_annotation, "_compile.compile_inner (dynamo_timed)", 0, 40 * kMs);
  trace.host(Category::overhead, "Lazy Function Loading", 50 * kMs, 10 * kMs);
  trace.op("aten::mm", 70 * kMs, 5);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "startup_ratio"), 0.5);
}

TEST(CapturedGraphs, AreThoseThatAreMadeWithinSteps) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 10, 100);
  trace.call("cudaGraphInstantiateWithFlags", 0, 5, -1);
  trace.call("hipGraphInstantiate", 20, 5, -1);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "graph_capture_count"), 1);
}

TEST(UnrecordedWaits, AreLongAndWithoutWorkOfADevice) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100 * kMs);
  trace.call("cudaStreamSynchronize", 0, 40 * kMs, -1);
  trace.kernel("k", 30 * kMs, 10 * kMs, -1);
  trace.call("cudaStreamSynchronize", 50 * kMs, 0.5 * kMs, -1);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "unrecorded_wait_ratio"), 0.3);
}

TEST(DeviceIdle, IsOfTheWholeStepOnlyWhereStepsAreMarked) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 20);
  trace.kernel("k", 50, 20, -1);
  trace.kernel("k", 80, 20, -1);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "device_idle_ratio"), 0.2);
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "device_idle_ratio"), 0.6);
}

TEST(RecordedRows, AreOperatorsCallsAndWorkOfDevices) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  trace.host(Category::user_annotation, "ProfilerStep#2", 100, 100);
  trace.host(Category::user_annotation, "forward", 0, 100);
  trace.op("aten::mm", 10, 20);
  trace.call("cudaLaunchKernel", 12, 5, 1);
  trace.kernel("k", 120, 20, 1);
  trace.op("aten::mm", 250, 20);
  EXPECT_DOUBLE_EQ(value(window_trust(examine(trace.timeline())), "recorded_row_count"), 1.5);
}

}  // namespace
}  // namespace tune::metric
