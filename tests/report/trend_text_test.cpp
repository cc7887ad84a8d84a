#include "report/trend_text.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

history::Series series_of(const std::vector<double>& values, const std::string& unit) {
  history::Series series;
  series.scenario = "mlp";
  series.metric = "throughput";
  series.unit = unit;
  for (const double value : values) {
    history::Point point;
    point.id = static_cast<std::int64_t>(series.points.size()) + 1;
    point.kind = "run";
    point.started_utc = "2026-11-20T12:00:00Z";
    point.value = value;
    series.points.push_back(point);
  }
  return series;
}

TEST(Sparkline, GoesFromTheLowestToTheHighestOldestFirst) {
  EXPECT_EQ(sparkline({1, 2, 3, 4, 5, 6, 7, 8}, 20), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline({8, 1}, 20), "█▁");
}

TEST(Sparkline, NoiseIsNoMountain) {
  EXPECT_EQ(sparkline({100, 100.5, 100}, 20), "▄▅▄");
  EXPECT_EQ(sparkline({100, 100, 91}, 20), "██▁");
  EXPECT_EQ(sparkline({0, 0}, 20), "▅▅");
}

TEST(Sparkline, TakesMediansWhereThereIsNoRoom) {
  EXPECT_EQ(sparkline({1, 1, 1, 9, 9, 9}, 2), "▁█");
  EXPECT_EQ(sparkline({}, 10), "");
  EXPECT_EQ(sparkline({1, 2}, 0), "");
}

TEST(TrendText, SaysWhatChangedSinceWhenAndWithWhat) {
  const history::Series series = series_of({1347, 1513}, "samples/s");
  history::Change change{.at = 1, .before = 1347, .after = 1513};
  EXPECT_EQ(change_sentence(series, change),
            "+12.3 % since run 2 of 2026-11-20 (1347 samples/s -> 1513 samples/s; nothing that is "
            "recorded changed with it)");
  change.causes = {"LibTorch 2.10.0 -> 2.11.0", "worker ab -> cd"};
  EXPECT_EQ(change_sentence(series, change),
            "+12.3 % since run 2 of 2026-11-20 (1347 samples/s -> 1513 samples/s; LibTorch 2.10.0 "
            "-> 2.11.0, worker ab -> cd)");
}

TEST(TrendText, SharesChangeFromOneToTheOther) {
  const history::Series series = series_of({0.1, 0.4}, "ratio");
  EXPECT_EQ(change_sentence(series, {.at = 1, .before = 0.1, .after = 0.4}),
            "10.0 % -> 40.0 % since run 2 of 2026-11-20 (nothing that is recorded changed with "
            "it)");
}

TEST(TrendText, TheRunThatIsReportedHasNoNumber) {
  history::Series series = series_of({58, 60, 59}, "samples/s");
  series.points.back().id = 0;
  EXPECT_EQ(point_name(series.points.back()), "this run");
  EXPECT_EQ(range_sentence(series),
            "3 runs since 2026-11-20: 58.0 samples/s to 60.0 samples/s, last 59.0 samples/s");
}

TEST(TrendText, ValuesHaveTheirUnits) {
  EXPECT_EQ(trend_value_text(0.125, "ratio"), "12.5 %");
  EXPECT_EQ(trend_value_text(1 << 20, "B"), "1 MiB");
  EXPECT_EQ(trend_value_text(0.25, "s"), "250ms");
  EXPECT_EQ(trend_value_text(1e30, "s"), trend_value_text(9e9, "s")) << "no overflow";
  EXPECT_EQ(trend_value_text(-5, "B"), trend_value_text(0, "B"));
}

}  // namespace
}  // namespace tune::report
