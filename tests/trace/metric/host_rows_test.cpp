#include "found.h"
#include "trace/metric/phase_ratios.h"
#include "trace/metric/row_counts.h"
#include "trace/metric/runtime_calls.h"
#include "trace/metric/trace_trust.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

TEST(RuntimeRatios, SumToTheRuntimePart) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.call("cudaLaunchKernel", 0, 100, -1);
  trace.call("cudaMalloc", 100, 50, -1);
  trace.call("cudaMemsetAsync", 200, 20, -1);
  trace.call("cudaDeviceSynchronize", 300, 400, -1);
  trace.call("cudaFuncGetAttributes", 800, 10, -1);
  trace.kernel("k", 400, 100, -1);
  trace.copy("Memcpy DtoD (Device -> Device)", 500, 50, -1, 8);
  const TraceInput input = examine(trace.timeline());
  const auto metrics = runtime_ratios(input);
  EXPECT_DOUBLE_EQ(value(metrics, "launch_exposed_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(value(metrics, "allocation_exposed_ratio"), 0.05);
  EXPECT_DOUBLE_EQ(value(metrics, "copy_call_exposed_ratio"), 0.02);
  EXPECT_DOUBLE_EQ(value(metrics, "blocking_exposed_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(value(metrics, "other_call_exposed_ratio"), 0.01);
  EXPECT_DOUBLE_EQ(value(metrics, "blocked_by_kernels_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(value(metrics, "blocked_by_copies_ratio"), 0.05);
  EXPECT_DOUBLE_EQ(value(metrics, "blocked_by_nothing_ratio"), 0.25);
  EXPECT_DOUBLE_EQ(*device_allocation_count(input).value, 1);
}

TEST(RowCounts, BelongToTheStepThatLaunchesThem) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  trace.host(Category::user_annotation, "ProfilerStep#2", 100, 100);
  trace.op("aten::linear", 10, 50);
  trace.op("aten::addmm", 20, 30);
  trace.call("cudaLaunchKernel", 30, 5, 1);
  trace.kernel("k", 250, 10, 1);  // after the last step, but launched by the first
  trace.kernel("k", 110, 30, -1);
  trace.kernel("ncclDevKernel_AllReduce", 150, 1000, -1);
  trace.kernel("k", 300, 10, -1);  // of no step
  const auto metrics = row_counts(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_count"), 1.5);
  EXPECT_NEAR(value(metrics, "kernel_time_mean"), 20e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "kernel_time_median"), 20e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "launch_count"), 0.5);
  EXPECT_DOUBLE_EQ(value(metrics, "operator_count"), 1);
}

TEST(RowCounts, ShortOperatorsAreWeighedByTheirOwnTime) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 2000);
  trace.op("aten::linear", 0, 300);  // 100 of its own
  trace.op("aten::addmm", 0, 200);
  trace.op("aten::sort", 400, 700);
  trace.op("aten::sort", 5000, 900);  // in no step
  EXPECT_DOUBLE_EQ(value(row_counts(examine(trace.timeline())), "short_operator_ratio"), 0.3);
}

TEST(RowCounts, WithoutRowsAreNotZero) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  for (const Metric& metric : row_counts(examine(trace.timeline()))) {
    EXPECT_FALSE(metric.is_applicable()) << metric.id;
  }
}

TEST(PhaseRatios, AreTheTimeThatTheHostIsInThem) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::user_annotation, "forward", 0, 200);
  trace.host(Category::user_annotation, "backward", 200, 300);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 500, 100);
  trace.call("cudaLaunchKernel", 510, 10, 1);
  trace.kernel("k", 530, 10, 1);
  trace.kernel("k", 50, 10, -1);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "forward_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, "backward_ratio"), 0.3);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_ratio"), 0.1);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_kernel_count"), 1);
  EXPECT_NE(reason(metrics, "zero_grad_ratio"), "");
}

TEST(TraceTrust, CountsWhatIsMissing) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 100);
  trace.host(Category::overhead, "Lazy Function Loading", 0, 50);
  trace.call("cudaLaunchKernel", 60, 10, 1);
  trace.kernel("k", 80, 40, 1);
  trace.kernel("k", 130, 10, 2);
  const auto metrics = trace_trust(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "uncorrelated_kernel_ratio"), 0.5);
  EXPECT_EQ(value(metrics, "dropped_event_count"), 0);
  EXPECT_NEAR(value(metrics, "max_event_time"), 40e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "span_time"), 80e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "overhead_ratio"), 0.5);
  EXPECT_DOUBLE_EQ(value(metrics, "lazy_load_count"), 1);
}

}  // namespace
}  // namespace tune::metric
