#include "trace/metric/critical_path.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tune::metric {

namespace {

using profile::Category;
using table::WrittenTimeline;

// Two steps of 500 us; in the second the host waits for a kernel of 400 us.
WrittenTimeline two_steps() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 500);
  trace.host(Category::user_annotation, "ProfilerStep#2", 500, 500);
  trace.op("aten::mm", 0, 550);
  trace.call("cudaLaunchKernel", 500, 5, 1);
  trace.kernel("gemm", 510, 400, 1);
  trace.call("cudaDeviceSynchronize", 560, 440, 2);
  return trace;
}

TEST(CriticalPathRatios, SumToOneAndTellWhatBoundsTheSteps) {
  WrittenTimeline trace = two_steps();
  const auto metrics = critical_path_ratios(examine(trace.timeline()));
  EXPECT_NEAR(value(metrics, "critical_path_time"), 500e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "critical_path_coverage_ratio"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "critical_path_cpu_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(value(metrics, "critical_path_launch_ratio"), 0.01);
  EXPECT_DOUBLE_EQ(value(metrics, "critical_path_kernel_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "critical_path_sync_ratio"), 0.09);
  double sum = 0;
  for (const Metric& metric : metrics) {
    const bool is_part = metric.unit == "ratio" && metric.id != "critical_path_coverage_ratio";
    sum += is_part ? *metric.value : 0;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(CriticalPathRatios, SayWhereAWaitWasInferred) {
  WrittenTimeline trace = two_steps();
  const auto metrics = critical_path_ratios(examine(trace.timeline()));
  EXPECT_TRUE(warns(found(metrics, "critical_path_cpu_ratio"), kInferredWaits));
  WrittenTimeline calm;
  calm.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  calm.call("cudaLaunchKernel", 50, 5, 1);
  calm.kernel("k", 60, 10, 1);
  EXPECT_FALSE(warns(found(critical_path_ratios(examine(calm.timeline())), "critical_path_time"),
                     kInferredWaits));
}

TEST(CriticalPathRatios, NeedWorkThatItsCallIsKnownOf) {
  WrittenTimeline host;
  host.op("aten::mm", 0, 50);
  EXPECT_EQ(reason(critical_path_ratios(examine(host.timeline())), "critical_path_cpu_ratio"),
            "the trace has rows of the CPU alone");
  WrittenTimeline apart;
  apart.op("aten::mm", 0, 50);
  apart.kernel("k", 10, 5, -1);
  EXPECT_EQ(reason(critical_path_ratios(examine(apart.timeline())), "critical_path_time"),
            "no work of a device can be joined to the call that issued it");
}

// One step of 1000 us: a kernel of 390, a number of it that is read, 290 of the host, a kernel of
// 290.
WrittenTimeline reads_a_number() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.call("cudaLaunchKernel", 0, 5, 1);
  trace.kernel("gemm", 10, 390, 1);
  trace.op("aten::item", 20, 390);
  trace.call("cudaMemcpyAsync", 25, 5, 2);
  trace.copy("Memcpy DtoH (Device -> Pinned)", 400, 2, 2, 4);
  trace.call("cudaStreamSynchronize", 30, 380, 3);
  trace.op("aten::cat", 410, 290);
  trace.call("cudaLaunchKernel", 700, 5, 4);
  trace.kernel("relu", 710, 290, 4);
  return trace;
}

TEST(CriticalPathSavings, LetTheHostRunAheadWhereItReadsNoNumber) {
  WrittenTimeline trace = reads_a_number();
  const auto metrics = critical_path_savings(examine(trace.timeline()));
  // The device has 10 + 390 + 2 + 290 to do; the host needs 25 + 290 + 10 until the last kernel.
  EXPECT_NEAR(value(metrics, "saved_without_scalar_syncs_ratio"), 1 - 0.692, 1e-9);
  EXPECT_NEAR(value(metrics, "saved_without_syncs_ratio"), 1 - 0.692, 1e-9);
}

TEST(CriticalPathSavings, LeaveTheWaitWhereOnlyLaunchesAreFree) {
  WrittenTimeline trace = reads_a_number();
  const auto metrics = critical_path_savings(examine(trace.timeline()));
  // 390 + 2 on the device, 8 until the call has noticed, 290 on the device.
  EXPECT_NEAR(value(metrics, "saved_without_launches_ratio"), 1 - 0.690, 1e-9);
  EXPECT_EQ(value(metrics, "saved_without_h2d_ratio"), 0);
}

TEST(CriticalPathSavings, TellAReadNumberFromASynchronisedDevice) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 500);
  trace.call("cudaLaunchKernel", 0, 5, 1);
  trace.kernel("gemm", 10, 190, 1);
  trace.call("cudaDeviceSynchronize", 10, 190, 2);
  trace.op("aten::cat", 200, 90);
  trace.call("cudaLaunchKernel", 290, 5, 3);
  trace.kernel("relu", 300, 200, 3);
  const auto metrics = critical_path_savings(examine(trace.timeline()));
  EXPECT_EQ(value(metrics, "saved_without_scalar_syncs_ratio"), 0);
  EXPECT_NEAR(value(metrics, "saved_without_syncs_ratio"), 1 - 0.8, 1e-9);  // 10 + 190 + 200
}

TEST(CriticalPathSavings, TakeACopyAndTheCallThatWaitsForItAway) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 300);
  trace.call("cudaMemcpyAsync", 0, 100, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 50, 50, 1, 1 << 20);
  trace.call("cudaLaunchKernel", 100, 5, 2);
  trace.kernel("gemm", 110, 190, 2);
  const auto metrics = critical_path_savings(examine(trace.timeline()));
  EXPECT_NEAR(value(metrics, "saved_without_h2d_ratio"), 1.0 / 3, 1e-9);
}

TEST(CriticalPathSavings, FindNothingInACopyBesideAKernel) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 410);
  trace.call("cudaLaunchKernel", 0, 5, 1);
  trace.kernel("gemm", 10, 400, 1);
  trace.call("cudaMemcpyAsync", 10, 5, 2, "pinning");
  trace.on_stream(trace.copy("Memcpy HtoD (Pinned -> Device)", 20, 100, 2, 1 << 20), "stream 8");
  const auto metrics = critical_path_savings(examine(trace.timeline()));
  EXPECT_EQ(value(metrics, "saved_without_h2d_ratio"), 0);
}

TEST(CriticalPathSavings, NeedAPath) {
  WrittenTimeline host;
  host.op("aten::mm", 0, 50);
  EXPECT_EQ(reason(critical_path_savings(examine(host.timeline())), "saved_without_syncs_ratio"),
            "the trace has rows of the CPU alone");
}

}  // namespace

}  // namespace tune::metric
