#include "metric/critical_path_ratios.h"

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

}  // namespace
}  // namespace tune::metric
