#include "report/scaling.h"

#include "difficult_results.h"
#include "drawing_check.h"
#include "live_section.h"
#include "sample_advice.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace tune::report {
namespace {

using campaign::CampaignResult;
using campaign::CellResult;

CellResult cell(const std::string& id, std::int64_t workers, double rate) {
  CellResult made;
  made.cell.id = id;
  made.cell.knobs = {{"batch_size", std::int64_t{8}}, {"num_workers", workers}};
  made.outcome = "completed";
  made.throughput =
      stats::Number{.value = rate, .lower = rate - 2, .upper = rate + 2, .confidence = 0.9, .n = 5};
  if (id != "baseline") {
    made.cell.changed = {{"num_workers", workers}};
    made.gain = stats::Number{.value = rate / 40 - 1, .n = 5};
  }
  return made;
}

CampaignResult with_workers() {
  CampaignResult result;
  result.trials.resize(1);
  result.cells = {
      cell("baseline", 0, 40), cell("c03", 4, 103), cell("c02", 2, 100), cell("c01", 1, 60)};
  return result;
}

TEST(Scaling, FindsTheSmallestValueThatIsAsGood) {
  const result::Result result = result_of(with_workers());
  const auto axes = scaling_axes(result);
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_EQ(axes[0].knob, "num_workers");
  ASSERT_EQ(axes[0].points.size(), 4U);
  EXPECT_EQ(axes[0].points[axes[0].best].value, 4);
  EXPECT_EQ(axes[0].points[axes[0].knee].value, 2) << "its interval reaches that of 4";
  EXPECT_EQ(
      knee_sentence(axes[0]),
      "num_workers: 2 is enough: 4 gives +3.0 % over it, which the intervals cannot tell from "
      "nothing; at 4 a worker does 42.9 % of what one of the fewest did; larger values were "
      "not tried.");
}

TEST(Scaling, CountsEfficiencyFromTheFewestWorkers) {
  const result::Result result = result_of(with_workers());
  const auto axes = scaling_axes(result);
  const auto& points = axes.at(0).points;
  EXPECT_FALSE(points[0].efficiency) << "without a worker there is none to compare";
  EXPECT_DOUBLE_EQ(*points[1].efficiency, 1);
  EXPECT_DOUBLE_EQ(*points[2].efficiency, 100.0 / 2 / 60);
}

TEST(Scaling, SaysWhereTheFastestIsAlsoTheKnee) {
  CampaignResult result = with_workers();
  result.cells[1].throughput->value = 180;
  result.cells[1].throughput->lower = 178;
  result.cells[1].throughput->upper = 182;
  const result::Result stored = result_of(result);
  const auto axes = scaling_axes(stored);
  ASSERT_EQ(axes.size(), 1U);
  EXPECT_EQ(axes[0].knee, axes[0].best);
  EXPECT_NE(knee_sentence(axes[0]).find("4 is the fastest of 4 values"), std::string::npos);
}

TEST(Scaling, NeedsThreeValuesAndNumbersThatAreOnes) {
  CampaignResult result = with_workers();
  result.cells[1].throughput->value = std::numeric_limits<double>::quiet_NaN();
  result.cells[2].throughput.reset();
  EXPECT_TRUE(scaling_axes(result_of(result)).empty());
  EXPECT_EQ(live_markup(run_scaling_section, result).finished(), "");
  EXPECT_TRUE(scaling_axes(result::Result{}).empty());
}

TEST(Scaling, WithoutIntervalsGoesByOnePercent) {
  CampaignResult result = with_workers();
  for (CellResult& each : result.cells) {
    each.throughput->lower.reset();
    each.throughput->upper.reset();
  }
  result::Result stored = result_of(result);
  EXPECT_EQ(scaling_axes(stored).at(0).knee, scaling_axes(stored).at(0).best) << "100 of 103";
  stored.cells[2].throughput.value = 102.5;
  EXPECT_EQ(scaling_axes(stored).at(0).points[scaling_axes(stored).at(0).knee].value, 2);
}

TEST(ScalingPlot, MarksTheKneeAndTheIdeal) {
  const result::Result result = result_of(with_workers());
  const Markup drawing = scaling_plot(scaling_axes(result).at(0), "scaling-0");
  expect_sound_drawing(drawing);
  EXPECT_NE(text_of(drawing).find("knee"), std::string::npos);
  EXPECT_NE(text_of(drawing).find("as much as the first"), std::string::npos);
}

TEST(ScalingSection, ShowsEveryAxisOfAWholeRun) {
  const std::string text = text_of(live_markup(run_scaling_section, diagnosed_result()));
  EXPECT_NE(text.find("num_workers: "), std::string::npos);
  EXPECT_NE(text.find("batch_size: "), std::string::npos);
}

TEST(ScalingPlot, IsSoundOnDifficultResultsAndManyValues) {
  auto all = difficult_results();
  all.emplace_back("500 values", result_with_cells(500));
  for (const auto& [name, result] : all) {
    SCOPED_TRACE(name);
    const result::Result stored = result_of(result);
    for (const ScalingAxis& axis : scaling_axes(stored)) {
      const Markup drawing = scaling_plot(axis, "scaling");
      expect_sound_drawing(drawing);
      EXPECT_LE(drawing.finished().size(), 60'000U);
    }
  }
}

}  // namespace
}  // namespace tune::report
