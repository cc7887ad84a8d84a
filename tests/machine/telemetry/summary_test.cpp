#include "machine/telemetry/summary.h"

#include "made_trail.h"

#include <gtest/gtest.h>

namespace tune::telemetry {
namespace {

const double kNone = std::nan("");

SeriesInfo level(const char* id = "level") {
  return {id, "", "B", Kind::level, 2};
}
SeriesInfo rate() {
  return {"rate", "", "B/s", Kind::count, 1};
}

TrialTelemetry summary_of(const Sampler::Result& read, std::optional<Span> window) {
  return summarise(read, {0, at(100)}, window, kSecondNs);
}

TEST(Summary, OfACountIsItsGrowthPerSecondInTheWindow) {
  const auto telemetry =
      summary_of(made_trail({rate()}, {{0, {50}}, {1, {60}}, {2, {80}}, {3, {110}}, {4, {1000}}}),
                 Span{at(1), at(3)});
  const SeriesSummary& series = telemetry.series.at(0);
  EXPECT_DOUBLE_EQ(series.mean.value_or(0), 25);
  EXPECT_DOUBLE_EQ(series.min.value_or(0), 20);
  EXPECT_DOUBLE_EQ(series.max.value_or(0), 30);
  EXPECT_DOUBLE_EQ(series.median.value_or(0), 25);
  EXPECT_EQ(series.n, 2);
  EXPECT_EQ(series.reason, "");
  EXPECT_EQ(series.curve, (std::vector<double>{10, 20, 30, 890}));
  EXPECT_EQ(telemetry.times_s, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(telemetry.cpu_ratio, 0.002);
  EXPECT_EQ(telemetry.samples, 5);
}

// 20 W for two seconds and 10 W of another GPU; nothing where one of them does not count.
TEST(Summary, EnergyIsThatOfTheGpusInTheWindow) {
  const SeriesInfo first{"gpu_power", "GPU-1", "W", Kind::count, 1};
  const SeriesInfo second{"gpu_power", "GPU-2", "W", Kind::count, 1};
  const auto trail = [&](double last) {
    return made_trail({first, second},
                      {{0, {0, 5}}, {1, {20, 15}}, {2, {40, 25}}, {3, {60, last}}, {4, {80, 45}}});
  };
  EXPECT_DOUBLE_EQ(device_joules(summary_of(trail(35), Span{at(1), at(3)})).value_or(0), 60);
  EXPECT_FALSE(device_joules(summary_of(trail(35), std::nullopt)).has_value()) << "no window";
  const SeriesInfo none{"gpu_power", "GPU-2", "W", Kind::count, 1, "not supported"};
  EXPECT_FALSE(
      device_joules(summary_of(made_trail({first, none}, {{0, {0, kNone}}, {4, {80, kNone}}}),
                               Span{at(1), at(3)}))
          .has_value());
  EXPECT_FALSE(
      device_joules(summary_of(made_trail({rate()}, {{0, {0}}, {4, {80}}}), Span{at(1), at(3)}))
          .has_value())
      << "no GPU";
}

TEST(Summary, OfALevelIsTheMeanOfItsReadingsInItsUnit) {
  const auto telemetry =
      summary_of(made_trail({level()}, {{0, {9}}, {1, {1}}, {2, {2}}, {3, {4}}, {4, {9}}}),
                 Span{at(1), at(3)});
  const SeriesSummary& series = telemetry.series.at(0);
  EXPECT_DOUBLE_EQ(series.mean.value_or(0), 6);
  EXPECT_DOUBLE_EQ(series.max.value_or(0), 8);
}

TEST(Summary, ReadingsAtTheEdgesOfTheWindowMakeNoSpikes) {
  // A tick of a coarse counter between two readings 1 ms apart would be a rate of 10.
  const auto telemetry = summary_of(
      made_trail({rate()},
                 {{0, {0}}, {1, {0}}, {1.001, {0.01}}, {2, {0.01}}, {3, {0.01}}, {3.001, {0.02}}}),
      Span{at(1.001), at(3.001)});
  const SeriesSummary& series = telemetry.series.at(0);
  EXPECT_LE(series.max.value_or(1), 0.011);
  EXPECT_NEAR(series.mean.value_or(0), 0.005, 1e-9) << "exact at the edges";
}

TEST(Summary, ACountThatFallsLeavesAGap) {
  const auto telemetry = summary_of(
      made_trail({rate()}, {{0, {0}}, {1, {10}}, {2, {4}}, {3, {14}}}), Span{at(0), at(3)});
  const SeriesSummary& series = telemetry.series.at(0);
  EXPECT_TRUE(std::isnan(series.curve.at(1)));
  EXPECT_DOUBLE_EQ(series.mean.value_or(0), 10) << "of the known pieces";
  EXPECT_EQ(series.n, 2);
}

TEST(Summary, AReadingThatFailedLeavesAGap) {
  const auto telemetry = summary_of(
      made_trail({rate(), level()}, {{0, {0, 1}}, {1, {kNone, kNone}}, {2, {20, 3}}, {3, {30, 5}}}),
      Span{at(0), at(3)});
  EXPECT_DOUBLE_EQ(telemetry.series.at(0).mean.value_or(0), 10);
  EXPECT_EQ(telemetry.series.at(0).n, 1);
  EXPECT_DOUBLE_EQ(telemetry.series.at(1).mean.value_or(0), 8);
}

TEST(Summary, WhatIsMissingHasItsReason) {
  SeriesInfo absent = level("gpu_temperature");
  absent.reason = "no driver";
  const auto read = made_trail({absent, level(), rate()}, {{0, {0, kNone, 1}}, {1, {0, kNone, 2}}});
  const auto telemetry = summary_of(read, Span{at(0), at(1)});
  EXPECT_EQ(telemetry.series.at(0).reason, "no driver");
  EXPECT_FALSE(telemetry.series.at(0).mean.has_value());
  EXPECT_TRUE(telemetry.series.at(0).curve.empty());
  EXPECT_EQ(telemetry.series.at(1).reason, "it could not be read in the measured window");
  EXPECT_TRUE(telemetry.series.at(1).curve.empty());
  EXPECT_EQ(summary_of(read, std::nullopt).series.at(2).reason,
            "the trial did not reach its measured window");
  EXPECT_EQ(summary_of(read, Span{at(0.4), at(0.45)}).series.at(2).reason,
            "the measured window was too short for two readings");
}

TEST(Summary, SurvivesATrialWithoutReadings) {
  const auto telemetry = summary_of(made_trail({level()}, {}), Span{at(0), at(1)});
  EXPECT_FALSE(telemetry.series.at(0).mean.has_value());
  EXPECT_TRUE(telemetry.times_s.empty());
}

TEST(Summary, CurvesStayShortHoweverLongTheTrial) {
  std::vector<Reading> readings;
  for (int i = 0; i < 2'000; ++i) {
    readings.push_back({i * 0.2, {static_cast<double>(i)}});
  }
  for (const std::int64_t period_ns : {kSecondNs / 5, kSecondNs / 1000}) {
    const auto telemetry =
        summarise(made_trail({rate()}, readings), {0, at(400)}, Span{0, at(400)}, period_ns);
    EXPECT_LE(telemetry.times_s.size(), TrialTelemetry::kMostPoints);
    EXPECT_GE(telemetry.times_s.size(), 50U);
    EXPECT_EQ(telemetry.series.at(0).curve.size(), telemetry.times_s.size());
    EXPECT_NEAR(telemetry.series.at(0).median.value_or(0), 5, 1e-9);
  }
}

TEST(Summary, ARatioIsAtMostOne) {
  const SeriesInfo busy{"cpu_busy_ratio", "", "ratio", Kind::count, 1};
  const auto telemetry =
      summary_of(made_trail({busy}, {{0, {0}}, {1, {1.05}}}), Span{at(0), at(1)});
  EXPECT_EQ(telemetry.series.at(0).mean, 1.0);
}

}  // namespace
}  // namespace tune::telemetry
