#include "base/error.h"
#include "result/result.h"
#include "stored_samples.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

std::string complaint_of(const std::string& text) {
  try {
    result::read_result(text, "run/result.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadResult, HasWhatTheFormatsNeedOfARun) {
  const result::Result result = stored(run_document());
  EXPECT_EQ(result.kind, "run");
  EXPECT_EQ(result.scenario.name, "resnet18");
  EXPECT_EQ(result.scenario.file, "scenarios/resnet18.yaml");
  ASSERT_EQ(result.cells.size(), 24U);
  EXPECT_EQ(result.cells.front().setting, "baseline");
  EXPECT_EQ(result.cells[1].setting, "amp=bf16 batch_size=256 channels_last=true num_workers=2");
  EXPECT_EQ(result.cells[1].changed.size(), 4U);
  EXPECT_EQ(result.cells[1].throughput.unit, "samples/s");
  EXPECT_EQ(result.cells[1].throughput.n, 3);
  EXPECT_LT(*result.cells[1].gain.lower, *result.cells[1].gain.value);
  EXPECT_EQ(result.setting_of("c23"), result.cells[1].setting);
  EXPECT_EQ(result.setting_of("candidate"), "candidate");
  EXPECT_EQ(result.provenance.started, "2026-03-02T10:15:00Z");
  EXPECT_FALSE(result.gate.has_value());
}

TEST(ReadResult, HasTheTrialsWithTheirSlices) {
  const result::Result result = stored(run_document());
  ASSERT_EQ(result.provenance.trials.size(), 80U);
  const result::Trial& trial = result.provenance.trials.front();
  EXPECT_EQ(trial.cell, "baseline");
  EXPECT_EQ(trial.stage, "search");
  ASSERT_EQ(trial.measured.slices.size(), 5U);
  double samples = 0, seconds = 0;
  for (const result::Slice& slice : trial.measured.slices) {
    samples += static_cast<double>(slice.samples);
    seconds += slice.seconds;
  }
  EXPECT_EQ(static_cast<double>(trial.measured.samples), samples);
  EXPECT_NEAR(*trial.measured.throughput, samples / seconds, 1e-9);
  EXPECT_FALSE(trial.measured.cpu_seconds.has_value()) << "the sample knows no CPU time";
}

TEST(ReadResult, HasRecommendationsInWords) {
  const auto recommendations = stored(run_document()).recommendations;
  ASSERT_EQ(recommendations.size(), 3U);
  EXPECT_EQ(change_text(recommendations[0].change), "num_workers 0 -> 2");
  EXPECT_EQ(recommendations[0].measured.gain.n, 10);
  EXPECT_EQ(recommendations[0].verdict, "CONFIRMED");
  EXPECT_EQ(recommendations[1].verdict, "");
  EXPECT_EQ(recommendations[1].measured.gain.reason, "not tested: the budget was used up");
  EXPECT_EQ(change_text(recommendations[2].change), "channels_last false -> true");
  EXPECT_FALSE(recommendations[2].predicted.gain.value.has_value());
}

TEST(ReadResult, HasTheRowsOfAGate) {
  const result::Result result = stored(gate_document());
  ASSERT_TRUE(result.gate.has_value());
  EXPECT_EQ(result.gate->verdict, "REGRESSED");
  EXPECT_EQ(result.gate->end, "judged");
  ASSERT_EQ(result.gate->rows.size(), 3U);
  const result::GateRow& row = result.gate->rows.front();
  EXPECT_EQ(row.metric, "throughput");
  EXPECT_EQ(row.baseline.low, 100.0);
  EXPECT_EQ(row.budget, 0.03);
  EXPECT_EQ(row.pairs, 10);
  EXPECT_FALSE(result.gate->rows[2].is_measured);
  EXPECT_FALSE(result.gate->rows[2].is_gated);
}

TEST(ReadResult, TakesAnIntervalThatIsNoneForNone) {
  auto document = run_document();
  auto& throughput = document["cells"][0]["throughput"];
  throughput["lower"] = 5;
  throughput["upper"] = 4;
  EXPECT_FALSE(stored(document).cells[0].throughput.lower.has_value());
  throughput["upper"] = nullptr;
  EXPECT_FALSE(stored(document).cells[0].throughput.lower.has_value());
  throughput["value"] = "fast";
  EXPECT_FALSE(stored(document).cells[0].throughput.value.has_value());
}

TEST(ReadResult, LeavesAloneWhatAYoungerVersionAdds) {
  auto document = run_document();
  const std::size_t cells = stored(document).cells.size();
  document["of_tomorrow"] = {{"a", 1}};
  document["cells"][0]["of_tomorrow"] = "b";
  document["gate"] = nullptr;
  EXPECT_EQ(stored(document).cells.size(), cells);
}

TEST(ReadResult, TextsAreOneCleanLine) {
  auto document = run_document();
  document["scenario"]["name"] = "a\nb\x1b[31m\tc";
  document["cells"][1]["changed"]["cpu_affinity"] = std::string(50'000, 'x');
  const result::Result result = stored(document);
  EXPECT_EQ(result.scenario.name, "a b\xEF\xBF\xBD[31m c");
  EXPECT_LE(result.cells[1].setting.size(), 10'000U);
}

TEST(ReadResult, RefusesWhatIsNoResult) {
  EXPECT_EQ(complaint_of("{"),
            "run/result.json: is not a result of tune (it is not a JSON object)");
  EXPECT_EQ(complaint_of("[1]"),
            "run/result.json: is not a result of tune (it is not a JSON object)");
  EXPECT_EQ(complaint_of(R"({"value": 1e999})"),
            "run/result.json: is not a result of tune (it is not a JSON object)");
  EXPECT_EQ(complaint_of("{}"),
            "run/result.json: is not a result of this version of tune (it names no schema) the "
            "result.json of a run?");
  EXPECT_EQ(
      complaint_of(R"({"schema": "tune-result/2"})"),
      "run/result.json: is not a result of this version of tune (its schema is tune-result/2) a "
      "newer tune?");
  EXPECT_EQ(complaint_of(std::string(100'000, '[')),
            "run/result.json: is not a result of tune (it is not a JSON object)");
}

}  // namespace
}  // namespace tune::report
