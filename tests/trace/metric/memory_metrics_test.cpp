#include "trace/metric/memory_metrics.h"

#include "found.h"
#include "trace_text.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::row;

std::string memory(int at_us, int device_type, int bytes, const std::string& totals) {
  return R"(, {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 412, "tid": 412, "ts": )" +
         std::to_string(at_us) + R"(, "args": {"Device Type": )" + std::to_string(device_type) +
         R"(, "Device Id": )" + (device_type == 0 ? "-1" : "0") + R"(, "Bytes": )" +
         std::to_string(bytes) + totals + "}}";
}

std::string totals(int allocated, int reserved) {
  return R"(, "Total Allocated": )" + std::to_string(allocated) + R"(, "Total Reserved": )" +
         std::to_string(reserved);
}

profile::Timeline two_steps(const std::string& rows, const std::string& devices = "") {
  return profile::read_text("{" + devices + R"("traceEvents": [)" +
                            row("user_annotation", "ProfilerStep#1", "0", "100") + ", " +
                            row("user_annotation", "ProfilerStep#2", "100", "100") + rows + "]}");
}

std::string device_rows() {
  return memory(10, 1, 100, totals(100, 200)) + memory(20, 1, -50, totals(50, 200)) +
         memory(110, 1, 250, totals(300, 400));
}

TEST(MemoryMetrics, AreOfTheDeviceAndNotOfTheCpu) {
  const profile::Timeline timeline =
      two_steps(device_rows() + memory(30, 0, 5000, totals(5000, 0)),
                R"("deviceProperties": [{"id": 0, "totalGlobalMem": 1000}], )");
  const auto metrics = memory_metrics(examine(timeline));
  EXPECT_EQ(value(metrics, "peak_allocated_bytes"), 300);
  EXPECT_EQ(value(metrics, "peak_reserved_bytes"), 400);
  EXPECT_DOUBLE_EQ(value(metrics, "peak_memory_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "reserved_ratio"), 0.4);
  EXPECT_DOUBLE_EQ(value(metrics, "reserved_allocated_ratio"), 400.0 / 300);
  EXPECT_DOUBLE_EQ(value(metrics, "allocation_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "allocated_bytes"), 175);
  EXPECT_EQ(value(metrics, "peak_growth_bytes"), 200);
  EXPECT_DOUBLE_EQ(value(metrics, "peak_growth_ratio"), 0.2);
}

TEST(MemoryMetrics, WithoutTheSizeOfTheDeviceHaveNoRatioOfIt) {
  const profile::Timeline timeline = two_steps(device_rows());
  const auto metrics = memory_metrics(examine(timeline));
  EXPECT_EQ(value(metrics, "peak_reserved_bytes"), 400);
  for (const char* const id : {"peak_memory_ratio", "reserved_ratio", "peak_growth_ratio"}) {
    EXPECT_NE(reason(metrics, id), "") << id;
  }
}

TEST(MemoryMetrics, WithoutTotalsHaveNoPeak) {
  const profile::Timeline timeline = two_steps(memory(10, 1, 100, ""));
  const auto metrics = memory_metrics(examine(timeline));
  for (const char* const id :
       {"peak_allocated_bytes", "peak_reserved_bytes", "peak_memory_ratio", "reserved_ratio"}) {
    EXPECT_NE(reason(metrics, id), "") << id;
  }
  EXPECT_DOUBLE_EQ(value(metrics, "allocated_bytes"), 50);
}

TEST(MemoryMetrics, NeedRows) {
  const profile::Timeline timeline = two_steps("");
  for (const Metric& metric : memory_metrics(examine(timeline))) {
    EXPECT_FALSE(metric.is_applicable()) << metric.id;
  }
  EXPECT_FALSE(largest_step_allocation(examine(timeline)).is_applicable());
}

TEST(LargestStepAllocation, IsWhatEveryStepAsksFor) {
  const profile::Timeline timeline =
      two_steps(memory(30, 0, 5000, "") + memory(130, 0, 64, "") + memory(140, 0, 4096, ""));
  EXPECT_EQ(*largest_step_allocation(examine(timeline)).value, 4096);
}

}  // namespace
}  // namespace tune::metric
