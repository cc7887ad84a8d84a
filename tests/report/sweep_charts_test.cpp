// Charts over all settings: Pareto scatter, heat map, slices.

#include "difficult_results.h"
#include "drawing_check.h"
#include "report/palette.h"
#include "report/pareto_front.h"
#include "report/render_blocks.h"
#include "report/result_of.h"
#include "report/run_charts.h"
#include "report/run_sections.h"
#include "report/run_words.h"
#include "sample_result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace tune::report {
namespace {

using campaign::CampaignResult;
using campaign::CellResult;

CellResult cell(const std::string& id, double rate, std::int64_t mebibytes) {
  CellResult made;
  made.cell.id = id;
  made.outcome = "completed";
  made.throughput = stats::Number{.value = rate, .n = 3};
  made.peak_memory_bytes = mebibytes << 20;
  return made;
}

std::string front_of(const CampaignResult& result) {
  std::string names;
  const result::Result record = result_of(result);
  for (const RateAndCost& point : rates_and_costs(record, Cost::memory)) {
    names += point.is_on_front ? point.cell->id + " " : "";
  }
  return names;
}

TEST(ParetoFront, HoldsWhatNoOtherBeatsInBoth) {
  CampaignResult result;
  result.cells = {cell("baseline", 100, 500),
                  cell("small", 80, 300),
                  cell("beaten", 90, 600),
                  cell("fast", 200, 900),
                  cell("equal", 200, 900)};
  EXPECT_EQ(front_of(result), "baseline small fast ");
  result.cells[3].broken_constraints = {"peak_memory_ratio 0.93 is above 0.9"};
  EXPECT_EQ(front_of(result), "baseline small equal ");
}

TEST(ParetoFront, LeavesOutWhatHasNoNumbers) {
  CampaignResult result;
  result.cells = {cell("nan", std::nan(""), 10), cell("zero", 0, 10), cell("none", 5, 10)};
  result.cells[2].peak_memory_bytes.reset();
  const result::Result record = result_of(result);
  EXPECT_TRUE(rates_and_costs(record, Cost::memory).empty());
  EXPECT_FALSE(pareto_plot(record, rates_and_costs(record, Cost::memory), Cost::memory));
}

TEST(ParetoPlot, HasAMarkForEachSettingAndSaysWhichAreBest) {
  const result::Result record = result_of(sample_result());
  const auto drawing = pareto_plot(record, rates_and_costs(record, Cost::memory), Cost::memory);
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_NE(text_of(*drawing).find(
                "The fastest is amp=bf16 batch_size=256 channels_last=true num_workers=2: "
                "166.5 samples/s"),
            std::string::npos);
  EXPECT_EQ(elements_of(*drawing, "g"), rates_and_costs(record, Cost::memory).size() + 3)
      << "and the legend";
}

// baseline 100 samples/s, "fast" 200 and "thrifty" 80, in J a sample.
result::Result with_energy(double baseline, double fast, double thrifty) {
  CampaignResult run;
  run.cells = {cell("baseline", 100, 500), cell("fast", 200, 500), cell("thrifty", 80, 500)};
  run.cells.push_back(cell("not counted", 300, 500));
  result::Result record = result_of(run);
  for (const auto& [id, joules] :
       {std::pair{"baseline", baseline}, std::pair{"fast", fast}, std::pair{"thrifty", thrifty}}) {
    result::Metric metric;
    metric.id = "energy_per_sample";
    metric.cell = id;
    metric.window = "search";
    metric.number.value = joules;
    metric.number.unit = "J";
    record.metrics.push_back(metric);
  }
  return record;
}

TEST(ParetoFront, IsAnotherOneByEnergy) {
  const result::Result record = with_energy(2, 1.5, 0.5);
  std::string front, all;
  for (const RateAndCost& point : rates_and_costs(record, Cost::energy)) {
    all += point.cell->id + " ";
    front += point.is_on_front ? point.cell->id + " " : "";
  }
  EXPECT_EQ(all, "baseline fast thrifty ");
  EXPECT_EQ(front, "fast thrifty ");
}

TEST(ParetoPlot, SaysWhatASampleTakesInEnergy) {
  const result::Result record = with_energy(2, 1.5, 0.5);
  const auto drawing = pareto_plot(record, rates_and_costs(record, Cost::energy), Cost::energy);
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  const std::string text = text_of(*drawing);
  EXPECT_NE(text.find("Throughput against energy"), std::string::npos);
  EXPECT_NE(text.find("GPU energy a sample"), std::string::npos);
  EXPECT_NE(text.find("3 settings, 2 on the Pareto front"), std::string::npos) << text;
  EXPECT_NE(text.find("80.0 samples/s, 500.0 mJ"), std::string::npos) << text;
}

TEST(RankingSection, HasTheFrontOfEnergyOnlyWhereItIsCounted) {
  const std::string counted =
      text_of(to_markup(run_ranking_section({.result = with_energy(2, 1.5, 0.5)})));
  EXPECT_NE(counted.find("Throughput against energy"), std::string::npos);
  EXPECT_NE(counted.find("Pareto by energy"), std::string::npos);
  const std::string other = text_of(to_markup(run_ranking_section({result_of(sample_result())})));
  EXPECT_NE(other.find("Throughput against memory"), std::string::npos);
  EXPECT_EQ(other.find("energy"), std::string::npos);
}

TEST(HeatMap, HasTheFastestSettingOfEachPair) {
  const result::Result result = result_of(sample_result());
  const ExploredGrid grid = explored_grid(result);
  const auto knobs = heat_map_knobs(grid, importance_of(grid));
  ASSERT_TRUE(knobs);
  const auto drawing = heat_map(grid, *knobs, 58.5);
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), 5U) << "two values by two, and the heading";
  EXPECT_NE(text_of(*drawing).find("166.5 samples/s"), std::string::npos);
}

TEST(HeatMap, SaysWhereSettingsFailedOrDidNotRun) {
  CampaignResult result = sample_result();
  for (CellResult& each : result.cells) {
    if (each.cell.knobs.at("batch_size") == trial::KnobValue(std::int64_t{256})) {
      each.throughput.reset();
    }
  }
  const result::Result record = result_of(result);
  const ExploredGrid grid = explored_grid(record);
  std::size_t batch = 0, workers = 0;
  for (std::size_t i = 0; i < grid.knobs.size(); ++i) {
    batch = grid.knobs[i].name == "batch_size" ? i : batch;
    workers = grid.knobs[i].name == "num_workers" ? i : workers;
  }
  const auto drawing = heat_map(grid, {batch, workers}, std::nullopt);
  ASSERT_TRUE(drawing);
  EXPECT_NE(text_of(*drawing).find("none of 4 settings was measured"), std::string::npos);
  EXPECT_EQ(text_of(*drawing).find("%"), std::string::npos) << "there is no baseline to compare";
}

// A channel of a #rrggbb colour over another, as fill-opacity blends it.
std::string blended(const char* over, const char* under, double opacity) {
  std::string colour = "#";
  for (std::size_t at = 1; at < 7; at += 2) {
    const auto channel = [at](const char* of) {
      return static_cast<double>(std::stoi(std::string(of).substr(at, 2), nullptr, 16));
    };
    const long value = std::lround(channel(over) * opacity + channel(under) * (1 - opacity));
    char text[8];
    (void)std::snprintf(text, sizeof text, "%02lx", static_cast<unsigned long>(value) & 0xffUL);
    colour += text;
  }
  return colour;
}

TEST(HeatMap, NumbersKeepTheirContrastOnTheStrongestTint) {
  for (const auto scheme : {&Swatch::light, &Swatch::dark}) {
    for (const Colour tint : {Colour::better, Colour::worse}) {
      const std::string ground =
          blended(swatch(tint).*scheme, swatch(Colour::paper).*scheme, kStrongestTint);
      EXPECT_GE(contrast(swatch(Colour::ink).*scheme, ground), 4.5) << ground;
    }
  }
}

TEST(KnobSlices, HaveAPanelAKnob) {
  const result::Result result = result_of(sample_result());
  const ExploredGrid grid = explored_grid(result);
  const auto drawing = knob_slices(grid, importance_of(grid), best_of(result));
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), 9U) << "2 + 3 + 2 + 2 values";
  EXPECT_NE(text_of(*drawing).find("166.5 on the slice"), std::string::npos);
}

TEST(KnobSlices, ThinOutManyValues) {
  const result::Result result = result_of(result_with_cells(500));
  const ExploredGrid grid = explored_grid(result);
  const auto drawing = knob_slices(grid, importance_of(grid), nullptr);
  ASSERT_TRUE(drawing);
  expect_sound_drawing(*drawing);
  EXPECT_EQ(elements_of(*drawing, "g"), kMostSliceValues);
}

TEST(SweepCharts, AreSoundOrAbsentOnDifficultResults) {
  for (const auto& [name, run] : difficult_results()) {
    SCOPED_TRACE(name);
    const result::Result result = result_of(run);
    const ExploredGrid grid = explored_grid(result);
    const Importance importance = importance_of(grid);
    if (const auto drawing =
            pareto_plot(result, rates_and_costs(result, Cost::memory), Cost::memory)) {
      expect_sound_drawing(*drawing);
    }
    if (const auto drawing = knob_slices(grid, importance, best_of(result))) {
      expect_sound_drawing(*drawing);
    }
    const auto knobs = heat_map_knobs(grid, importance);
    if (const auto drawing = knobs ? heat_map(grid, *knobs, 50) : std::nullopt) {
      expect_sound_drawing(*drawing);
    }
  }
}

TEST(RankingSection, NamesFrontAndConstraintsAndKeepsWhatFailed) {
  CampaignResult result = sample_result();
  result.cells.at(3).broken_constraints = {"peak_memory_ratio 0.93 is above <0.9>"};
  const std::string text = text_of(to_markup(run_ranking_section({result_of(result), &result})));
  EXPECT_NE(text.find("Pareto"), std::string::npos);
  EXPECT_NE(text.find("breaks peak_memory_ratio 0.93 is above <0.9>"), std::string::npos);
  EXPECT_NE(text.find("out-of-memory"), std::string::npos);
  EXPECT_NE(text.find("Main effects"), std::string::npos);
}

}  // namespace
}  // namespace tune::report
