#include "trace/metric/trace_metrics.h"

#include "found.h"
#include "trace_text.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tune::metric {
namespace {

using profile::read_events;
using profile::row;

std::vector<Metric> metrics_of(const std::string& events) {
  const profile::Timeline timeline = read_events(events);
  return trace_metrics(examine(timeline));
}

std::string two_steps() {
  return row("user_annotation", "ProfilerStep#1", "0", "100") + "," +
         row("user_annotation", "ProfilerStep#2", "100", "300") + "," +
         row("user_annotation", "enumerate(DataLoader)#x.__next__", "90", "20") + "," +
         row("kernel", "k", "100", "60") + "," + row("gpu_memset", "Memset (Device)", "200", "20") +
         "," + row("gpu_memset", "Memset (Device)", "390", "20");
}

TEST(TraceMetrics, AreSharesOfAllSteps) {
  const auto metrics = metrics_of(two_steps());
  EXPECT_DOUBLE_EQ(*found(metrics, "partition_kernel_ratio").value, 0.15);
  EXPECT_DOUBLE_EQ(*found(metrics, "partition_data_loading_ratio").value, 0.025);
  EXPECT_DOUBLE_EQ(*found(metrics, "data_wait_ratio").value, 0.05);
  EXPECT_DOUBLE_EQ(*found(metrics, "gpu_busy_ratio").value, 0.225);
  const Metric step = found(metrics, "step_time");
  EXPECT_DOUBLE_EQ(*step.value, 200e-6);
  EXPECT_EQ(step.n, 2);
  EXPECT_DOUBLE_EQ(*step.lower, 100e-6);
  EXPECT_DOUBLE_EQ(*step.upper, 300e-6);
  double sum = 0;
  for (const Metric& metric : metrics) {
    sum += metric.id.starts_with("partition_") ? *metric.value : 0;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(TraceMetrics, SayNoRowsWhereARoleIsMissing) {
  const auto metrics = metrics_of(two_steps());
  EXPECT_TRUE(warns(found(metrics, "partition_communication_ratio"), kNoRows));
  EXPECT_EQ(*found(metrics, "partition_communication_ratio").value, 0);
  EXPECT_FALSE(warns(found(metrics, "partition_kernel_ratio"), kNoRows));
  EXPECT_FALSE(warns(found(metrics, "partition_other_ratio"), kNoRows));
}

TEST(TraceMetrics, OfTheCpuAloneAreNotApplicableForDevices) {
  const auto metrics = metrics_of(row("cpu_op", "aten::add", "0", "10"));
  for (const char* const id : {"partition_kernel_ratio",
                               "partition_communication_ratio",
                               "partition_memcpy_ratio",
                               "partition_memset_ratio",
                               "partition_runtime_ratio",
                               "gpu_busy_ratio",
                               "data_wait_ratio",
                               "step_time"}) {
    EXPECT_FALSE(found(metrics, id).is_applicable()) << id;
    EXPECT_NE(found(metrics, id).reason, "") << id;
  }
  EXPECT_DOUBLE_EQ(*found(metrics, "partition_cpu_op_ratio").value, 1);
  EXPECT_TRUE(warns(found(metrics, "partition_cpu_op_ratio"), kNoStepMarks));
  EXPECT_TRUE(warns(found(metrics, "partition_cpu_op_ratio"), kOneStep));
}

TEST(TraceMetrics, OfMemoryEventsAloneAreAllNotApplicable) {
  for (
      const Metric& metric : metrics_of(
          R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 4}})")) {
    EXPECT_FALSE(metric.is_applicable()) << metric.id;
  }
}

}  // namespace
}  // namespace tune::metric
