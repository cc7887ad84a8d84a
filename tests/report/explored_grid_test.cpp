#include "report/explored_grid.h"

#include "difficult_results.h"
#include "drawing_check.h"
#include "report/result_of.h"
#include "report/run_charts.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace tune::report {
namespace {

using campaign::CampaignResult;
using campaign::CellResult;

CellResult cell(const std::string& id, std::int64_t workers, bool channels_last, double rate) {
  CellResult made;
  made.cell.id = id;
  made.cell.knobs = {{"channels_last", channels_last}, {"num_workers", workers}};
  made.outcome = "completed";
  made.throughput = stats::Number{.value = rate, .n = 3};
  return made;
}

// Twice as fast with channels_last, 3/2 times with a worker, whatever the other one is.
CampaignResult multiplicative() {
  CampaignResult result;
  result.cells = {cell("baseline", 0, false, 100),
                  cell("c01", 1, false, 150),
                  cell("c02", 0, true, 200),
                  cell("c03", 1, true, 300)};
  return result;
}

TEST(ExploredGrid, HasTheKnobsThatDifferAndEveryCell) {
  const result::Result result = result_of(sample_result());
  const ExploredGrid grid = explored_grid(result);
  std::string names;
  for (const ExploredKnob& knob : grid.knobs) {
    names += knob.name + " " + std::to_string(knob.values.size()) + ";";
  }
  EXPECT_EQ(names, "amp 2;batch_size 3;channels_last 2;num_workers 2;");
  EXPECT_EQ(grid.cells.size(), result.cells.size());
  EXPECT_EQ(grid.measured(), result.cells.size() - 2) << "c11 and c21 failed";
  EXPECT_EQ(grid.knobs[1].label(2), "256") << "numbers by size";
}

TEST(ExploredGrid, OfNothingIsEmpty) {
  EXPECT_TRUE(explored_grid(result::Result{}).cells.empty());
  const result::Result one = result_of(result_with_cells(1));
  EXPECT_TRUE(explored_grid(one).knobs.empty());
  EXPECT_EQ(explored_grid(result_of(all_failed_result())).measured(), 0U);
}

TEST(ExploredGrid, LeavesOutAKnobThatSomeCellsLack) {
  CampaignResult result = multiplicative();
  result.cells[1].cell.knobs.erase("channels_last");
  const result::Result record = result_of(result);
  const ExploredGrid grid = explored_grid(record);
  ASSERT_EQ(grid.knobs.size(), 1U);
  EXPECT_EQ(grid.knobs[0].name, "num_workers");
}

TEST(Importance, IsThatOfTheMainEffects) {
  const result::Result result = result_of(multiplicative());
  const ExploredGrid grid = explored_grid(result);
  const Importance found = importance_of(grid);
  ASSERT_EQ(found.knobs.size(), 2U) << found.reason;
  EXPECT_EQ(grid.knobs.at(found.knobs[0].knob).name, "channels_last");
  EXPECT_NEAR(found.knobs[0].gain, 1, 1e-9);
  EXPECT_NEAR(found.knobs[1].gain, 0.5, 1e-9);
  EXPECT_EQ(grid.knobs.at(found.knobs[0].knob).label(found.knobs[0].best), "true");
  // The logs are additive: shares are those of the squares.
  const double two = std::log(2) * std::log(2), half = std::log(1.5) * std::log(1.5);
  EXPECT_NEAR(found.knobs[0].share, two / (two + half), 1e-9);
  EXPECT_NEAR(found.explained_ratio, 1, 1e-9);
}

TEST(Importance, SaysWhyItCannotBeTold) {
  const result::Result one = result_of(result_with_cells(1));
  EXPECT_NE(importance_of(explored_grid(one)).reason, "");
  const result::Result each_its_own = result_of(result_with_cells(20));
  EXPECT_NE(importance_of(explored_grid(each_its_own)).reason.find("as many values"),
            std::string::npos);
  EXPECT_NE(
      importance_of(explored_grid(result_of(all_failed_result()))).reason.find("fewer than three"),
      std::string::npos);
}

TEST(ImportanceBars, ShowEveryKnobWithItsBestValue) {
  const result::Result result = result_of(multiplicative());
  const ExploredGrid grid = explored_grid(result);
  const auto drawing = importance_bars(grid, importance_of(grid));
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_NE(text_of(*drawing).find("true +100.0 % over false"), std::string::npos);
  EXPECT_NE(std::string(importance_method()).find("additive model"), std::string::npos);
}

TEST(ImportanceBars, AreSoundOrAbsentOnDifficultResults) {
  for (const auto& [name, run] : difficult_results()) {
    const result::Result result = result_of(run);
    const ExploredGrid grid = explored_grid(result);
    const Importance importance = importance_of(grid);
    const auto drawing = importance_bars(grid, importance);
    EXPECT_EQ(drawing.has_value(), importance.reason.empty()) << name;
    if (drawing) {
      expect_sound_drawing(*drawing);
    }
  }
}

}  // namespace
}  // namespace tune::report
