#include "report/result_json.h"

#include "approved.h"
#include "report/headline.h"
#include "sample_result.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace tune::report {
namespace {

using Json = nlohmann::json;

Json parsed(const campaign::CampaignResult& result) {
  return Json::parse(to_result_json(result));
}

TEST(ResultJson, IsTheApprovedDocumentForTheSample) {
  expect_approved("tests/golden/report/sample.json", to_result_json(sample_result()));
}

TEST(ResultJson, FitsTheSchemaWhateverTheRunFound) {
  for (const auto& result : {sample_result(),
                             unconfirmed_result(),
                             all_failed_result(),
                             empty_result(),
                             result_with_cells(1),
                             result_with_cells(60),
                             hostile_result()}) {
    EXPECT_EQ(complaint(parsed(result)), "");
  }
}

TEST(ResultJson, FitsTheSchemaWithAnAuditWholeOrNot) {
  auto result = sample_result();
  result.audit = campaign::Audit{.reason = "the audit is incomplete", .has_begun = true};
  result.trials.front().stage = "audit";
  EXPECT_EQ(complaint(parsed(result)), "");
  result.audit = campaign::Audit{
      .is_whole = true, .pick = "c01", .best = "c02", .found_ratio = 0.97, .trials = 72};
  for (campaign::CellResult& cell : result.cells) {
    cell.stage = "audit";
  }
  EXPECT_EQ(complaint(parsed(result)), "");
}

TEST(ResultJson, TheSchemaCatchesMistakes) {
  const Json good = parsed(sample_result());
  const auto spoilt = [&](const char* pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    return complaint(bad);
  };
  EXPECT_NE(spoilt("/schema", "tune-result/2"), "");
  EXPECT_NE(spoilt("/kind", "walk"), "");
  EXPECT_NE(spoilt("/summary/best/gain/value", "+18 %"), "");
  EXPECT_NE(spoilt("/summary/best/gain/confidence", 97), "");
  EXPECT_NE(spoilt("/summary/unknown", 1), "");
  EXPECT_NE(spoilt("/cells/0/outcome", "fine"), "");
  EXPECT_NE(spoilt("/cells/0/throughput/unit", "images"), "");
  EXPECT_NE(spoilt("/metrics/0/window", nullptr), "");
  EXPECT_NE(spoilt("/metrics/0/id", "Speed"), "");
  EXPECT_NE(spoilt("/provenance/trials/0/seconds", -1), "");
  Json incomplete = good;
  incomplete.erase("gate");
  EXPECT_NE(complaint(incomplete), "");
  incomplete = good;
  incomplete["environment"].erase("governor_reason");
  EXPECT_NE(complaint(incomplete), "");
}

TEST(ResultJson, HasEveryFieldThatScriptsMayRelyOn) {
  const Json json = parsed(empty_result());
  for (const char* name : {"schema",
                           "kind",
                           "summary",
                           "cells",
                           "metrics",
                           "findings",
                           "recommendations",
                           "gate",
                           "environment",
                           "scenario",
                           "provenance"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  EXPECT_TRUE(json["gate"].is_null());
  EXPECT_EQ(json["gate_reason"], "a run is not a gate");
  EXPECT_TRUE(json["summary"]["best"].is_null());
  EXPECT_EQ(json["summary"]["best_reason"], "no trial was run");
}

TEST(ResultJson, TakesTheGainFromTheConfirmationAndOnlyFromThere) {
  const auto result = sample_result();
  const Json confirmed = parsed(result)["summary"];
  EXPECT_EQ(confirmed["headline"], headline(result));
  EXPECT_EQ(confirmed["best"]["gain"]["value"], result.confirmation->gain.value);
  EXPECT_EQ(confirmed["best"]["gain"]["pairs"], 6);
  EXPECT_EQ(confirmed["best"]["gain"]["confidence"], 0.96875);
  EXPECT_EQ(confirmed["best"]["throughput"]["value"], result.confirmation->best.value);
  EXPECT_EQ(confirmed["best"]["verdict"], "CONFIRMED");
  EXPECT_TRUE(confirmed["best"]["verdict_reason"].is_null());
  const Json row = parsed(result)["confirmations"][0];
  EXPECT_EQ(row["verdict"], "CONFIRMED");
  EXPECT_EQ(row["looks"][0]["alpha_total"], 0.025);
  EXPECT_EQ(row["search_gain"], 1.9);
  EXPECT_EQ(row["slices"]["baseline_tainted"], 1);
  const Json searched = parsed(unconfirmed_result())["summary"];
  EXPECT_TRUE(searched["best"]["gain"].is_null());
  EXPECT_TRUE(std::string(searched["best"]["gain_reason"]).starts_with("not confirmed: budget"));
  EXPECT_EQ(searched["best"]["window"], "search");
}

TEST(ResultJson, HasMetricsInBaseUnitsWithIntervals) {
  const auto result = sample_result();
  const Json document = parsed(result);
  std::map<std::string, Json> baseline;
  for (const Json& metric : document["metrics"]) {
    if (metric["cell"] == "baseline" && metric["window"] == "search") {
      baseline[metric["id"]] = metric;
    }
  }
  const double rate = result.cells.front().throughput->value.value_or(0);
  EXPECT_EQ(baseline["throughput"]["value"], rate);
  EXPECT_NEAR(double(baseline["step_time"]["value"]), 32 / rate, 1e-9);
  EXPECT_EQ(baseline["step_time"]["n"], 3);
  EXPECT_EQ(baseline["step_time"]["confidence"], 0.75);
  EXPECT_GT(double(baseline["data_wait_ratio"]["value"]), 0.2);
  EXPECT_LT(double(baseline["data_wait_ratio"]["value"]), 0.4);
  EXPECT_EQ(baseline["peak_memory_bytes"]["value"], *result.cells.front().peak_memory_bytes);
  EXPECT_NEAR(double(baseline["peak_memory_ratio"]["value"]),
              static_cast<double>(*result.cells.front().peak_memory_bytes) / (16.0 * (1 << 30)),
              1e-12);
}

TEST(ResultJson, SaysHowLongAnEpochTakesAndWhatThatAssumes) {
  const auto epoch_time = [](const campaign::CampaignResult& result) {
    const Json document = parsed(result);
    for (const Json& metric : document["metrics"]) {
      if (metric["cell"] == "baseline" && metric["id"] == "epoch_time") {
        return metric;
      }
    }
    return Json();
  };
  auto result = sample_result();
  const stats::Number& rate = *result.cells.front().throughput;
  const Json known = epoch_time(result);
  EXPECT_NEAR(double(known["value"]), 2000 / rate.value.value_or(0), 1e-9);
  EXPECT_NEAR(double(known["lower"]), 2000 / *rate.upper, 1e-9);
  EXPECT_NEAR(double(known["upper"]), 2000 / *rate.lower, 1e-9);
  EXPECT_EQ(known["unit"], "s");
  EXPECT_EQ(known["n"], 3);
  EXPECT_NE(std::string(known["reason"]).find("no epoch began"), std::string::npos);
  for (campaign::TrialRecord& trial : result.trials) {
    trial.spec.data.samples = 0;
  }
  const Json unknown = epoch_time(result);
  EXPECT_TRUE(unknown["value"].is_null() && unknown["lower"].is_null());
  EXPECT_EQ(unknown["reason"], "the number of samples of an epoch is not known");
  EXPECT_EQ(complaint(parsed(result)), "");
}

TEST(ResultJson, NamesEachTrialThatWasDisturbed) {
  auto result = sample_result();
  EXPECT_TRUE(parsed(result)["provenance"]["trials"][0]["disturbance"].is_null());
  for (trial::Slice& slice : result.trials[0].outcome.reply->slices) {
    slice.disturbance.other_cpu_ns = slice.wall_ns;
  }
  result.cells[0].disturbed = true;
  const Json document = parsed(result);
  EXPECT_NE(std::string(document["provenance"]["trials"][0]["disturbance"]).find("1.00 of 2 CPUs"),
            std::string::npos);
  EXPECT_EQ(document["cells"][0]["disturbed"], true);
  EXPECT_EQ(complaint(document), "");
}

TEST(ResultJson, HasTheEpochOfTheFreshTrialsBesideAWholeOne) {
  auto result = sample_result();
  const stats::Number computed = {
      .value = 12.0, .lower = 11.5, .upper = 12.5, .confidence = 0.95, .n = 7};
  result.epochs = {{.cell = "baseline",
                    .computed = computed,
                    .begin_s = 0.2,
                    .check = campaign::EpochCheck{12.0, 12.5}},
                   {.cell = "c16", .computed = computed, .reason = "it takes too long"},
                   {.cell = "c17", .reason = "its size is not known"}};
  const Json document = parsed(result);
  EXPECT_EQ(complaint(document), "");
  std::map<std::string, Json> found;
  for (const Json& metric : document["metrics"]) {
    if (metric["window"] != "search") {
      found[std::string(metric["cell"]) + " " + std::string(metric["id"])] = metric;
    }
  }
  EXPECT_EQ(found["baseline epoch_time"]["lower"], 11.5);
  EXPECT_EQ(found["baseline epoch_time"]["n"], 7);
  EXPECT_EQ(found["baseline whole_epoch_time"]["value"], 12.5);
  EXPECT_NEAR(double(found["baseline epoch_time_difference_ratio"]["value"]), -0.04, 1e-12);
  EXPECT_EQ(found["c16 epoch_time"]["value"], 12.0);
  EXPECT_TRUE(found["c16 epoch_time_difference_ratio"]["value"].is_null());
  EXPECT_EQ(found["c16 epoch_time_difference_ratio"]["reason"], "it takes too long");
  EXPECT_TRUE(found["c17 epoch_time"]["value"].is_null());
  EXPECT_EQ(found["c17 epoch_time"]["reason"], "its size is not known");
}

TEST(ResultJson, SaysHowLongTheBaselineTookToBecomeSteady) {
  auto result = sample_result();
  const auto time_to_steady = [&] {
    Json found = Json::array();
    const Json whole = parsed(result);
    for (const Json& metric : whole["metrics"]) {
      if (metric["id"] == "time_to_steady") {
        found.push_back(metric);
      }
    }
    return found;
  };
  const Json known = time_to_steady();
  ASSERT_EQ(known.size(), 1U);
  EXPECT_NEAR(double(known[0]["value"]), 1.4, 1e-12);
  EXPECT_EQ(known[0]["unit"], "s");
  EXPECT_EQ(known[0]["cell"], "baseline");
  EXPECT_EQ(known[0]["window"], "warmup");
  EXPECT_EQ(known[0]["n"], 1);
  result.warmup = campaign::WarmupFound{.is_steady = false, .text = "no steady state in 64 steps"};
  const Json unknown = time_to_steady();
  EXPECT_TRUE(unknown[0]["value"].is_null());
  EXPECT_EQ(unknown[0]["reason"], "no steady state in 64 steps");
  EXPECT_EQ(complaint(parsed(result)), "");
  result.warmup.reset();
  EXPECT_TRUE(time_to_steady().empty()) << "the scenario says how long";
}

TEST(ResultJson, SaysWhatWasNotSteady) {
  auto result = sample_result();
  const campaign::Steadiness moving = {.vetoes = {{"clock", "the CPU clock fell by 2.0 %"}}};
  result.trials[0].steadiness = moving;
  for (auto* tally : {&result.steadiness,
                      &result.cells[0].steadiness,
                      &result.confirmations[0].baseline_steadiness}) {
    tally->add("r1-baseline", moving);
  }
  const Json document = parsed(result);
  const Json trial = document["provenance"]["trials"][0];
  EXPECT_EQ(trial["steadiness"], "clock");
  EXPECT_EQ(trial["steadiness_why"], "the CPU clock fell by 2.0 %");
  EXPECT_TRUE(document["provenance"]["trials"][1]["steadiness"].is_null());
  EXPECT_EQ(document["cells"][0]["steadiness"]["label"], "clock");
  EXPECT_EQ(document["summary"]["trials"]["not_steady"], 1);
  EXPECT_EQ(document["confirmations"][0]["steadiness"]["baseline"]["not_steady"], 1);
  EXPECT_EQ(complaint(document), "");
}

TEST(ResultJson, KeepsTheScenarioTextByteForByte) {
  auto result = sample_result();
  result.scenario.text = "a: \"\r\n\t\x01\"\n";
  EXPECT_EQ(parsed(result)["scenario"]["text"], result.scenario.text);
}

TEST(ResultJson, WritesNullWithAReasonForWhatIsNoNumber) {
  auto result = sample_result();
  result.cells[1].gain->value = std::nan("");
  const Json gain = parsed(result)["cells"][1]["gain"];
  EXPECT_TRUE(gain["value"].is_null());
  EXPECT_EQ(gain["reason"], "the value is not a finite number");
  EXPECT_EQ(complaint(parsed(result)), "");
}

}  // namespace
}  // namespace tune::report
