#include "machine/telemetry/counter_rows.h"

#include "made_trail.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace tune::telemetry {
namespace {

using Json = nlohmann::json;

SeriesSummary series(const char* id, const char* label, const std::vector<double>& curve) {
  SeriesSummary summary;
  summary.info.id = id;
  summary.info.label = label;
  summary.info.unit = "ratio";
  summary.curve = curve;
  return summary;
}

// Starts at 100 s, with one reading per second.
TrialTelemetry sample() {
  TrialTelemetry telemetry;
  telemetry.start_ns = at(100);
  telemetry.times_s = {1, 2, 3, 4};
  telemetry.series = {series("cpu_busy_ratio", "cpu3", {0.1, 0.2, std::nan(""), 0.4})};
  return telemetry;
}

Json rows_in(const TrialTelemetry& telemetry, Span window) {
  return Json::parse("[" + counter_rows(telemetry, window) + "]");
}

TEST(CounterRows, StandWhereTheTimeBeginsOfWhichTheyAreTheMean) {
  const Json rows = rows_in(sample(), {at(101.25), at(110)});
  ASSERT_EQ(rows.size(), 3U) << "a name and two values: one reading failed, one was before";
  EXPECT_EQ(rows[0]["ph"], "M");
  EXPECT_EQ(rows[1]["ph"], "C");
  EXPECT_EQ(rows[1]["name"], "cpu_busy_ratio [%]");
  EXPECT_EQ(rows[1]["ts"], 0.0) << "it began before the window";
  EXPECT_DOUBLE_EQ(rows[1]["args"]["cpu3"].get<double>(), 20);
  EXPECT_DOUBLE_EQ(rows[2]["ts"].get<double>(), 1'750'000) << "us after 101.25 s";
  EXPECT_DOUBLE_EQ(rows[2]["args"]["cpu3"].get<double>(), 40);
  EXPECT_EQ(rows[1]["pid"], rows[0]["pid"]);
}

TEST(CounterRows, WithoutAReadingInTheWindowThereIsNoTrack) {
  EXPECT_EQ(counter_rows(sample(), {at(104), at(110)}), "");
  EXPECT_EQ(counter_rows(sample(), {at(90), at(100)}), "");
  TrialTelemetry empty;
  EXPECT_EQ(counter_rows(empty, {0, at(1)}), "");
}

TEST(CounterRows, ASeriesWithoutALabelIsAValue) {
  TrialTelemetry telemetry = sample();
  telemetry.series = {series("disk_read_rate", "", {1, 2, 3, 4})};
  telemetry.series[0].info.unit = "B/s";
  const Json rows = rows_in(telemetry, {at(100), at(102)});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2]["name"], "disk_read_rate [B/s]");
  EXPECT_DOUBLE_EQ(rows[2]["args"]["value"].get<double>(), 2);
}

TEST(CounterRows, AreJsonWhateverADeviceIsCalledAndAFileSays) {
  TrialTelemetry telemetry = sample();
  telemetry.series[0].info.label = "\"\\\n\x01\xff";
  telemetry.series[0].curve = {1e300, -1e300};
  telemetry.times_s = {std::nan(""), 1e300, -1, std::numeric_limits<double>::infinity()};
  const Json rows = rows_in(telemetry, {at(101), std::numeric_limits<std::int64_t>::max()});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1]["ts"], 0.0);
}

}  // namespace
}  // namespace tune::telemetry
