#include "report/trend_chart.h"

#include "page_check.h"
#include "report/palette.h"
#include "report/run_pages.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace tune::report {
namespace {

history::Series series_of(const std::vector<double>& values) {
  history::Series series;
  series.scenario = "mlp";
  series.machine = "2 CPUs Some CPU";
  series.metric = "throughput";
  series.unit = "samples/s";
  for (const double value : values) {
    history::Point point;
    point.id = static_cast<std::int64_t>(series.points.size()) + 1;
    point.kind = "run";
    point.started_utc = "2026-11-20T12:00:00Z";
    point.value = value;
    series.points.push_back(point);
  }
  series.points.back().id = 0;
  return series;
}

// Ten runs at 100 and ten at 80, with a little noise.
history::Series with_step() {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) {
    values.push_back((i < 10 ? 100.0 : 80.0) + 0.1 * (i * 7 % 5));
  }
  return series_of(values);
}

std::size_t count(const XmlDocument& page, const std::string& tag, const std::string& stroke) {
  return static_cast<std::size_t>(
      std::count_if(page.elements.begin(), page.elements.end(), [&](const XmlElement& each) {
        return each.tag == tag && (stroke.empty() || each.attribute("stroke") == stroke);
      }));
}

XmlDocument drawn(const history::Series& series) {
  const auto chart = trend_chart(series, history::trend_of(series.points));
  EXPECT_TRUE(chart);
  XmlDocument page = read_xml(chart ? chart->finished() : "");
  EXPECT_EQ(page.problem, "");
  return page;
}

TEST(TrendChart, HasACircleARunAndALineALevelInTheColourOfItsDirection) {
  const XmlDocument page = drawn(with_step());
  EXPECT_EQ(count(page, "circle", ""), 20U);
  EXPECT_EQ(count(page, "line", swatch(Colour::quiet).light), 1U) << "the first level";
  EXPECT_EQ(count(page, "line", swatch(Colour::worse).light), 1U) << "the second one is lower";
  EXPECT_EQ(count(page, "line", swatch(Colour::better).light), 0U);
  EXPECT_NE(page.text.find("-20.0 % since run 11 of 2026-11-20"), std::string::npos) << page.text;
  EXPECT_NE(page.text.find("20 runs since 2026-11-20: 80.0 samples/s to 100.4 samples/s"),
            std::string::npos)
      << page.text;
  EXPECT_NE(page.text.find("this run: 80."), std::string::npos);
}

TEST(TrendChart, LowerIsBetterOfATime) {
  history::Series series = with_step();
  series.metric = "step_time";
  series.unit = "s";
  EXPECT_EQ(count(drawn(series), "line", swatch(Colour::better).light), 1U);
}

TEST(TrendChart, OneRunHasNoTrend) {
  const history::Series series = series_of({100});
  EXPECT_FALSE(trend_chart(series, history::trend_of(series.points)));
}

TEST(TrendChart, OfManyRunsTheNewestAreDrawn) {
  std::vector<double> values(250, 100.0);
  values.back() = 101;
  EXPECT_EQ(count(drawn(series_of(values)), "circle", ""), kMostDrawnRuns);
}

TEST(TrendChart, NumbersOfADamagedFileAreDrawnInsideTheFrame) {
  for (const double extreme : {0.0, -1e18, 1e18, std::numeric_limits<double>::min()}) {
    drawn(series_of({extreme, 1, extreme, 0}));
    drawn(series_of({extreme, extreme}));
  }
}

TEST(HistorySection, IsInTheReportOfARunThatHasEarlierOnes) {
  campaign::CampaignResult result = sample_result();
  EXPECT_EQ(to_html(result).find("<h2>History</h2>"), std::string::npos);
  result.history = with_step();
  const std::string html = to_html(result);
  expect_sound_page(html);
  const XmlDocument page = read_xml(html);
  EXPECT_NE(html.find("<h2>History</h2>"), std::string::npos);
  EXPECT_NE(page.text.find("-20.0 % since run 11 of 2026-11-20"), std::string::npos);
  EXPECT_NE(page.text.find("The runs, oldest first"), std::string::npos);
  result.history = series_of({100, 101, 100});
  EXPECT_NE(read_xml(to_html(result)).text.find("No change of level is seen."), std::string::npos);
}

TEST(HistorySection, EscapesWhatAFileSays) {
  campaign::CampaignResult result = sample_result();
  result.history = with_step();
  result.history->scenario = result.history->unit = "<b>&\"'\x01";
  result.history->points[3].torch_version = "</td><script>alert(1)</script>";
  result.history->points[3].started_utc = "<&";
  expect_sound_page(to_html(result));
}

}  // namespace
}  // namespace tune::report
