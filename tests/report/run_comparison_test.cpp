#include "report/run_comparison.h"

#include "base/error.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::report {
namespace {

using nlohmann::json;

ComparedRun run_of(const json& document, const std::string& name = "runs/a") {
  return {.name = name, .result = stored(document)};
}

// The sample run, `factor` as fast in its baseline.
json faster_run(double factor) {
  json document = run_document();
  for (json& metric : document["metrics"]) {
    if (metric["cell"] != "baseline") {
      continue;
    }
    const bool is_rate = metric["id"] == "throughput";
    const bool is_duration = metric["id"] == "step_time" || metric["id"] == "epoch_time";
    for (const char* field : {"value", "lower", "upper"}) {
      if ((is_rate || is_duration) && metric[field].is_number()) {
        metric[field] = metric[field].get<double>() * (is_rate ? factor : 1 / factor);
      }
    }
  }
  return document;
}

const ComparedMetric& metric_in(const ComparedCells& cells, const std::string& id) {
  const auto found = std::find_if(
      cells.metrics.begin(), cells.metrics.end(), [&](const auto& each) { return each.id == id; });
  if (found == cells.metrics.end()) {
    throw std::runtime_error("no " + id);
  }
  return *found;
}

ComparedCells baselines(const json& a, const json& b) {
  return compare_cells(run_of(a), run_of(b), {"baseline", "baseline"});
}

std::string complaint_of(const ComparedRun& run, const std::string& word) {
  try {
    find_cell(run, word, "--cell " + word);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RunComparison, EqualRunsAreWithinNoiseWhereTheyHaveIntervals) {
  const ComparedCells cells = baselines(run_document(), run_document());
  ASSERT_FALSE(cells.metrics.empty());
  for (const ComparedMetric& metric : cells.metrics) {
    const bool is_alike = metric.relation == Relation::within_noise ||
                          metric.relation == Relation::equal ||
                          metric.relation == Relation::no_interval;
    EXPECT_TRUE(is_alike) << metric.id << ": " << name(metric.relation);
    EXPECT_EQ(metric.change.value_or(0), 0) << metric.id;
  }
  EXPECT_EQ(metric_in(cells, "throughput").relation, Relation::within_noise);
  EXPECT_EQ(metric_in(cells, "peak_memory_bytes").relation, Relation::no_interval);
  EXPECT_TRUE(cells.knobs.empty());
}

TEST(RunComparison, AHigherRateAndAShorterStepAreFaster) {
  const ComparedCells faster = baselines(run_document(), faster_run(1.2));
  EXPECT_EQ(metric_in(faster, "throughput").relation, Relation::faster);
  EXPECT_NEAR(*metric_in(faster, "throughput").change, 0.2, 1e-12);
  EXPECT_EQ(metric_in(faster, "step_time").relation, Relation::faster);
  EXPECT_NEAR(*metric_in(faster, "step_time").change, 1 / 1.2 - 1, 1e-12);
  const ComparedCells slower = baselines(faster_run(1.2), run_document());
  EXPECT_EQ(metric_in(slower, "throughput").relation, Relation::slower);
  EXPECT_EQ(metric_in(slower, "step_time").relation, Relation::slower);
}

TEST(RunComparison, ARatioChangesByItsDifferenceAndIsNoSpeed) {
  json less = run_document(), more = run_document();
  const auto put_wait = [](json& document, double value) {
    for (json& metric : document["metrics"]) {
      if (metric["id"] == "data_wait_ratio" && metric["cell"] == "baseline") {
        metric["value"] = value;
        metric["lower"] = value - 0.01;
        metric["upper"] = value + 0.01;
      }
    }
  };
  put_wait(less, 0.1);
  put_wait(more, 0.4);
  const ComparedMetric wait = metric_in(baselines(less, more), "data_wait_ratio");
  EXPECT_NEAR(*wait.change, 0.3, 1e-12);
  EXPECT_EQ(wait.relation, Relation::higher);
  EXPECT_EQ(metric_in(baselines(more, less), "data_wait_ratio").relation, Relation::lower);
}

TEST(RunComparison, NumbersAreOfOneWindowWhereBothHaveIntervalsInIt) {
  const ComparedCells both = baselines(run_document(), run_document());
  EXPECT_EQ(metric_in(both, "throughput").window_a, "confirm");
  json searched = run_document();
  auto& metrics = searched["metrics"].get_ref<json::array_t&>();
  std::erase_if(metrics, [](const json& metric) { return metric["window"] == "confirm"; });
  const ComparedMetric rate = metric_in(baselines(run_document(), searched), "throughput");
  EXPECT_EQ(rate.window_a, "search");
  EXPECT_EQ(rate.window_b, "search");
  for (json& metric : metrics) {  // as after one round
    metric["lower"] = metric["upper"] = nullptr;
  }
  RunComparison comparison{.a = run_of(run_document()), .b = run_of(searched)};
  comparison.cells = {compare_cells(comparison.a, comparison.b, {"baseline", "baseline"})};
  EXPECT_EQ(metric_in(comparison.cells.front(), "throughput").window_a, "confirm");
  const auto notes = notes_on(comparison);
  EXPECT_EQ(std::count(notes.begin(),
                       notes.end(),
                       "throughput of baseline is of another window: confirm in A, search in B"),
            1);
}

TEST(RunComparison, TheUsualCellsAreTheBaselinesAndTheBestOnes) {
  const ComparedRun run = run_of(run_document());
  const std::vector<CellPair> pairs = {{"baseline", "baseline"}, {"c23", "c23"}};
  EXPECT_EQ(usual_cells(run, run), pairs);
  const ComparedCells best = compare_cells(run, run, pairs.back());
  EXPECT_EQ(metric_in(best, "gain").window_a, "confirm");
  json nothing = run_document();
  nothing["summary"]["best"] = nullptr;
  EXPECT_EQ(usual_cells(run, run_of(nothing)).size(), 1U);
  RunComparison comparison{.a = run, .b = run_of(nothing)};
  EXPECT_EQ(notes_on(comparison),
            std::vector<std::string>{"B has no best cell besides its baseline"});
  comparison.has_usual_cells = false;
  EXPECT_TRUE(notes_on(comparison).empty());
}

TEST(RunComparison, KnobsThatAreSetOtherwiseAreNamed) {
  json other = run_document();
  for (json& cell : other["cells"]) {
    if (cell["id"] == "baseline") {
      cell["knobs"]["batch_size"] = 48;
      cell["knobs"]["a_knob_of_later"] = 1;
    }
  }
  const ComparedCells cells = baselines(run_document(), other);
  ASSERT_EQ(cells.knobs.size(), 1U);
  EXPECT_EQ(cells.knobs.front().name, "batch_size");
  EXPECT_EQ(cells.knobs.front().a, "32");
  EXPECT_EQ(cells.knobs.front().b, "48");
}

TEST(RunComparison, OfGatesItHasBothSidesAndCountsHaveNoNoise) {
  const ComparedRun gate = run_of(gate_document());
  const std::vector<CellPair> pairs = {{"baseline", "baseline"}, {"candidate", "candidate"}};
  EXPECT_EQ(usual_cells(gate, gate), pairs);
  const ComparedCells equal = compare_cells(gate, gate, pairs.back());
  EXPECT_EQ(metric_in(equal, "operators").relation, Relation::equal);
  EXPECT_EQ(metric_in(equal, "throughput").relation, Relation::no_interval);
  EXPECT_EQ(metric_in(equal, "delta_throughput").relation, Relation::within_noise);
  const ComparedCells sides = compare_cells(gate, gate, {"baseline", "candidate"});
  EXPECT_EQ(metric_in(sides, "operators").relation, Relation::higher);
  const ComparedRun run = run_of(run_document());
  EXPECT_EQ(usual_cells(run, gate).size(), 1U) << "a best cell is no candidate";
}

TEST(RunComparison, ACellThatIsNotThereNamesTheNearest) {
  const ComparedRun run = run_of(run_document());
  EXPECT_EQ(find_cell(run, "best", ""), "c23");
  EXPECT_EQ(find_cell(run, "c07", ""), "c07");
  EXPECT_EQ(find_cell(run_of(gate_document()), "best", ""), "candidate");
  const std::string complaint = complaint_of(run, "baselin");
  EXPECT_NE(complaint.find("runs/a has no cell 'baselin' (it has baseline, "), std::string::npos)
      << complaint;
  EXPECT_TRUE(complaint.ends_with("and 12 more) baseline?")) << complaint;
  json nothing = run_document();
  nothing["summary"]["best"] = nullptr;
  EXPECT_NE(complaint_of(run_of(nothing), "best").find("runs/a has no best cell"),
            std::string::npos);
}

TEST(RunComparison, ARunThatIsNotCompleteSaysSo) {
  json cut = run_document();
  cut["provenance"]["complete"] = false;
  cut["provenance"]["incomplete_reason"] = "interrupted: 3 of 80 trials missing";
  const auto notes = notes_on({.a = run_of(run_document()), .b = run_of(cut)});
  EXPECT_EQ(notes,
            std::vector<std::string>{"B is not complete: interrupted: 3 of 80 trials missing"});
}

TEST(RunComparison, WhatIsHardToRenderHasNumbersThatAreNumbers) {
  const ComparedRun run = run_of(run_document());
  for (const auto& [what, document] : difficult_documents()) {
    const ComparedRun other = run_of(document);
    for (const CellPair& pair : usual_cells(run, other)) {
      for (const ComparedMetric& metric : compare_cells(run, other, pair).metrics) {
        EXPECT_TRUE(metric.a.value && metric.b.value) << what << ": " << metric.id;
      }
    }
    run_differences(run, other);
  }
}

}  // namespace
}  // namespace tune::report
