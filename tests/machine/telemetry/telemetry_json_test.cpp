#include "machine/telemetry/telemetry_json.h"

#include "base/error.h"
#include "made_trail.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::telemetry {
namespace {

TrialTelemetry sample() {
  SeriesInfo absent{"gpu_util_ratio", "", "ratio", Kind::level, 1, "no driver"};
  SeriesInfo gap{"free_memory_bytes", "", "B", Kind::level};
  TrialTelemetry telemetry = summarise(
      made_trail({{"cpu_busy_ratio", "cpu1", "ratio", Kind::count}, absent, gap},
                 {{0, {0, 0, std::nan("")}}, {1, {0.5, 0, 1234}}, {2, {0.75, 0, 123456789}}}),
      {0, at(2)},
      Span{at(0), at(2)},
      kSecondNs);
  telemetry.cpus = 2;
  return telemetry;
}

TEST(TelemetryJson, IsReadAsItWasWritten) {
  const TrialTelemetry written = sample();
  const TrialTelemetry read = parse_trial_telemetry(to_json(written), "telemetry.json");
  EXPECT_EQ(read.window, written.window);
  EXPECT_EQ(read.cpus, 2);
  EXPECT_EQ(read.samples, 3);
  EXPECT_EQ(read.times_s, written.times_s);
  ASSERT_EQ(read.series.size(), 3U);
  EXPECT_EQ(read.series[0].info.label, "cpu1");
  EXPECT_EQ(read.series[0].mean, 0.375);
  EXPECT_EQ(read.series[0].curve, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(read.series[1].reason, "no driver");
  EXPECT_FALSE(read.series[1].mean.has_value());
  EXPECT_EQ(read.series[2].max, 123'460'000) << "five digits";
}

TEST(TelemetryJson, WritesWhatIsMissingAsNull) {
  const auto json = nlohmann::json::parse(to_json(sample()));
  EXPECT_TRUE(json["series"][1]["mean"].is_null());
  TrialTelemetry without = sample();
  without.window.reset();
  EXPECT_TRUE(nlohmann::json::parse(to_json(without))["window"].is_null());
  EXPECT_FALSE(parse_trial_telemetry(to_json(without), "x").window.has_value());
}

TEST(TelemetryJson, RefusesWhatIsNone) {
  const auto complaint = [](const std::string& text) {
    try {
      (void)parse_trial_telemetry(text, "t.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint("").find("t.json"), std::string::npos);
  EXPECT_NE(complaint("{}").find("schema"), std::string::npos);
  auto json = nlohmann::json::parse(to_json(sample()));
  json["schema"] = "tune-telemetry/9";
  EXPECT_NE(complaint(json.dump()).find("this version of tune reads tune-telemetry/1"),
            std::string::npos);
  json = nlohmann::json::parse(to_json(sample()));
  json["series"][0]["curve"] = {1};
  EXPECT_NE(complaint(json.dump()).find("must have one value for each"), std::string::npos);
  json["series"][0]["curve"] = {"a", "b"};
  EXPECT_NE(complaint(json.dump()).find("not a number"), std::string::npos);
}

TEST(TelemetryJson, StaysSmallForALongTrialWithManySeries) {
  std::vector<SeriesInfo> series(120, {"cpu_busy_ratio", "cpu1", "ratio", Kind::count});
  std::vector<Reading> readings;
  for (int i = 0; i < 2'000; ++i) {
    readings.push_back({i * 0.2, std::vector<double>(series.size(), i * 0.0712345)});
  }
  const TrialTelemetry long_trial =
      summarise(made_trail(series, readings), {0, at(400)}, Span{0, at(400)}, kSecondNs / 5);
  EXPECT_LT(to_json(long_trial).size(), 400'000U);
}

}  // namespace
}  // namespace tune::telemetry
