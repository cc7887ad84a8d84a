#include "machine/telemetry/host_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tune::telemetry {
namespace {

SeriesSummary series(const char* id, double mean) {
  SeriesSummary summary;
  summary.info.id = id;
  summary.mean = mean;
  summary.median = mean;
  summary.min = mean / 2;
  summary.max = mean * 2;
  summary.n = 3;
  return summary;
}

SeriesSummary missing(const char* id, const char* reason) {
  SeriesSummary summary;
  summary.info.id = id;
  summary.reason = reason;
  return summary;
}

std::map<std::string, HostMetric> metrics_of(const TrialTelemetry& telemetry) {
  std::map<std::string, HostMetric> named;
  for (const HostMetric& metric : host_metrics(telemetry)) {
    named[metric.id] = metric;
  }
  return named;
}

TEST(HostMetrics, AreTheMeansOfTheirSeriesOrTheirWorstMoment) {
  TrialTelemetry telemetry;
  telemetry.series = {series("io_wait_ratio", 0.2),
                      series("free_memory_bytes", 100),
                      series("cpu_temperature", 40),
                      missing("gpu_util_ratio", "no driver")};
  const auto metrics = metrics_of(telemetry);
  EXPECT_EQ(metrics.at("io_wait_ratio").value, 0.2);
  EXPECT_EQ(metrics.at("free_memory_bytes").value, 50) << "the least";
  EXPECT_EQ(metrics.at("cpu_temperature").value, 80) << "the most";
  EXPECT_FALSE(metrics.at("gpu_util_ratio").value.has_value());
  EXPECT_EQ(metrics.at("gpu_util_ratio").reason, "no driver");
  EXPECT_EQ(metrics.at("steal_ratio").reason, "not recorded");
}

TEST(HostMetrics, CompareTheWorkerWithTheMachine) {
  TrialTelemetry telemetry;
  telemetry.cpus = 4;
  telemetry.series = {series("cpu_busy_ratio", 0.75),
                      series("worker_cores", 2),
                      series("worker_system_cores", 0.5),
                      series("run_delay_cores", 0.3),
                      series("cpu_clock", 2.0e9),
                      series("cpu_base_clock", 2.5e9)};
  auto metrics = metrics_of(telemetry);
  EXPECT_DOUBLE_EQ(metrics.at("other_cpu_cores").value.value_or(-1), 1);
  EXPECT_DOUBLE_EQ(metrics.at("run_delay_ratio").value.value_or(-1), 0.15);
  EXPECT_DOUBLE_EQ(metrics.at("system_time_ratio").value.value_or(-1), 0.25);
  EXPECT_DOUBLE_EQ(metrics.at("cpu_frequency_ratio").value.value_or(-1), 0.8);
  telemetry.series[1] = series("worker_cores", 3.2);
  EXPECT_EQ(metrics_of(telemetry).at("other_cpu_cores").value, 0.0) << "ticks are coarse";
  telemetry.series[1] = missing("worker_cores", "hidden");
  metrics = metrics_of(telemetry);
  EXPECT_EQ(metrics.at("other_cpu_cores").reason, "hidden");
  EXPECT_EQ(metrics.at("run_delay_ratio").reason, "hidden");
  telemetry.series[1] = series("worker_cores", 0);
  EXPECT_FALSE(metrics_of(telemetry).at("run_delay_ratio").value.has_value());
}

TEST(HostMetrics, CompareTheGpuWithItsLimits) {
  TrialTelemetry telemetry;
  telemetry.series = {series("gpu_sm_clock", 1.5e9),
                      series("gpu_max_sm_clock", 2.0e9),
                      series("gpu_power", 350),
                      series("gpu_power_limit", 700)};
  const auto metrics = metrics_of(telemetry);
  EXPECT_DOUBLE_EQ(metrics.at("sm_clock_drop_ratio").value.value_or(-1), 0.25);
  EXPECT_DOUBLE_EQ(metrics.at("power_draw_ratio").value.value_or(-1), 0.5);
}

TEST(HostMetrics, KnowHowLongTheGpuWasHeldAtItsPowerLimit) {
  TrialTelemetry telemetry;
  telemetry.series = {series("gpu_power_capped_ratio", 0.5),
                      missing("gpu_power_cap_time_ratio", "NVML code 3 (not supported)")};
  EXPECT_DOUBLE_EQ(metrics_of(telemetry).at("power_cap_ratio").value.value_or(-1), 0.5)
      << "as often as it was read";
  telemetry.series[1] = series("gpu_power_cap_time_ratio", 0.4);
  EXPECT_DOUBLE_EQ(metrics_of(telemetry).at("power_cap_ratio").value.value_or(-1), 0.4)
      << "the driver counts it";
  telemetry.series = {missing("gpu_power_capped_ratio", "no driver")};
  EXPECT_EQ(metrics_of(telemetry).at("power_cap_ratio").reason, "no driver");
}

TEST(HostMetrics, TellTheHalvesOfTheWindowApart) {
  TrialTelemetry telemetry;
  telemetry.window = Span{2'000'000'000, 6'000'000'000};
  telemetry.times_s = {1, 2, 3, 4, 5, 6, 7};
  telemetry.series = {series("disk_read_rate", 1)};
  telemetry.series[0].curve = {99, 99, 10, 20, 1, 3, 99};
  const auto metrics = metrics_of(telemetry);
  EXPECT_EQ(metrics.at("early_read_rate").value, 15);
  EXPECT_EQ(metrics.at("late_read_rate").value, 2);
  telemetry.window = Span{2'000'000'000, 2'500'000'000};
  EXPECT_EQ(metrics_of(telemetry).at("late_read_rate").reason,
            "the window is too short for halves");
}

TEST(HostMetrics, AreNamedOnceAndAlwaysAllOfThem) {
  std::set<std::string> names;
  for (const HostMetric& metric : host_metrics({})) {
    EXPECT_TRUE(names.insert(metric.id).second) << metric.id;
    EXPECT_FALSE(metric.value.has_value());
    EXPECT_NE(metric.reason, "") << metric.id;
  }
  EXPECT_EQ(names.size(), 55U);
}

TEST(CellTelemetry, HasOneValueForEachTrialThatHasIt) {
  TrialTelemetry first;
  first.series = {series("io_wait_ratio", 0.2)};
  TrialTelemetry second;
  second.series = {missing("io_wait_ratio", "gone")};
  second.samples = 7;
  const CellTelemetry cell = combine({{"r1-c01", first}, {"r2-c01", second}});
  EXPECT_EQ(cell.trials, 2);
  EXPECT_EQ(cell.curves_of, "r2-c01");
  EXPECT_EQ(cell.example.samples, 7);
  for (const CellMetric& metric : cell.metrics) {
    if (metric.id == "io_wait_ratio") {
      EXPECT_EQ(metric.values, std::vector<double>{0.2});
      EXPECT_EQ(metric.reason, "gone");
    }
  }
  EXPECT_EQ(combine({}).trials, 0);
}

}  // namespace
}  // namespace tune::telemetry
