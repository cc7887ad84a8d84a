#include "report/format/formats.h"
#include "report/format/stored_result.h"
#include "report/gate_json.h"
#include "report/gate_markdown.h"
#include "report/gate_text.h"
#include "sample_gate.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

TEST(GateJson, FitsTheSchemaHoweverItEnded) {
  for (const GateVerdict verdict : {GateVerdict::pass,
                                    GateVerdict::regressed,
                                    GateVerdict::improved,
                                    GateVerdict::inconclusive}) {
    EXPECT_EQ(complaint(nlohmann::json::parse(to_gate_json(sample_gate(verdict)))), "");
  }
  GateResult failed = sample_gate(GateVerdict::regressed);
  failed.end = gate::End::candidate_failed;
  failed.end_reason = "the candidate failed, crashed: SIGSEGV";
  failed.rows.clear();
  failed.counted.clear();
  failed.pairs.clear();
  failed.look_records.clear();
  EXPECT_EQ(complaint(nlohmann::json::parse(to_gate_json(failed))), "");
}

GateResult unchanged_gate() {
  GateResult result = sample_gate(GateVerdict::pass);
  result.baseline.commit = "0123456789abcdef0123456789abcdef01234567";
  result.candidate.commit = "ba9876543210abcdef0123456789abcdef012345";
  result.baseline.files.emplace_back("perf/build/libmodel.so", "ab12");
  result.candidate.files = result.baseline.files;
  result.sides_are_equal = true;
  result.end = gate::End::nothing_changed;
  result.end_reason = result.why = "nothing changed: it is the same";
  result.rows.clear();
  result.counted.clear();
  result.pairs.clear();
  result.look_records.clear();
  return result;
}

TEST(GateReports, TellOfTwoCommitsThatAreTheSame) {
  const GateResult result = unchanged_gate();
  const std::string document = to_gate_json(result);
  const auto json = nlohmann::json::parse(document);
  EXPECT_EQ(complaint(json), "");
  const auto& sides = json["gate"]["sides"];
  EXPECT_EQ(sides["candidate"]["commit"], result.candidate.commit);
  EXPECT_EQ(sides["candidate"]["files"]["perf/build/libmodel.so"], "ab12");
  const std::string page = to_gate_markdown(result);
  EXPECT_NE(page.find("PASS: nothing changed"), std::string::npos);
  EXPECT_NE(page.find("Nothing was measured"), std::string::npos);
  const std::string junit = to_junit(read_stored_result(document, "result.json"), {});
  EXPECT_NE(junit.find("failures=\"0\" errors=\"0\" skipped=\"0\""), std::string::npos) << junit;
}

TEST(GateJson, WhatIsNotKnownIsNullWithAReason) {
  GateResult result = sample_gate(GateVerdict::inconclusive);
  result.rows[0].has_interval = false;
  const auto json = nlohmann::json::parse(to_gate_json(result));
  const auto& delta = json["gate"]["rows"][0]["delta"];
  EXPECT_TRUE(delta["lower"].is_null());
  EXPECT_FALSE(delta["reason"].is_null());
  EXPECT_TRUE(json["summary"].is_null());
  EXPECT_FALSE(json["summary_reason"].is_null());
}

TEST(GateJson, SaysHowLongAProcessTookToBecomeSteady) {
  GateResult result = sample_gate(GateVerdict::pass);
  const auto warmup = [&] {
    const auto json = nlohmann::json::parse(to_gate_json(result));
    EXPECT_EQ(complaint(json), "");
    return json["gate"]["warmup"];
  };
  result.warmup = {.steps = 12,
                   .was_searched = true,
                   .search = trial::SteadyRecord{
                       .steady = true, .cut = 12, .steps = 64, .time_to_steady_ns = 1'400'000'000}};
  EXPECT_NEAR(double(warmup()["time_to_steady"]), 1.4, 1e-12);
  EXPECT_TRUE(warmup()["time_to_steady_reason"].is_null());
  result.end = gate::End::not_steady;  // its steps contradicted the process
  EXPECT_TRUE(warmup()["time_to_steady"].is_null());
  EXPECT_EQ(warmup()["time_to_steady_reason"], "no process became steady");
  result.warmup = {.steps = 5};
  EXPECT_EQ(warmup()["time_to_steady_reason"], "the scenario says how long the warm-up is");
}

TEST(GateJson, SaysWhichSideIsTheScenariosOwnSetting) {
  GateResult result = sample_gate(GateVerdict::pass);
  result.candidate.is_own_setting = true;
  const auto json = nlohmann::json::parse(to_gate_json(result));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["gate"]["sides"]["baseline"]["own_setting"], false);
  EXPECT_EQ(json["gate"]["sides"]["candidate"]["own_setting"], true);
}

TEST(GateMarkdown, BeginsWithTheMarkerOfItsComment) {
  const std::string page = to_gate_markdown(sample_gate(GateVerdict::regressed));
  EXPECT_TRUE(page.starts_with("<!-- tune-gate: resnet18 -->\n"));
  EXPECT_NE(page.find("REGRESSED: throughput -16.7 %"), std::string::npos);
  EXPECT_NE(page.find("the likely cause"), std::string::npos);
}

TEST(GateMarkdown, OnlyWorseIsRed) {
  const char* const red = "\xF0\x9F\x94\xB4";
  EXPECT_NE(to_gate_markdown(sample_gate(GateVerdict::regressed)).find(red), std::string::npos);
  EXPECT_EQ(to_gate_markdown(sample_gate(GateVerdict::inconclusive)).find(red), std::string::npos);
  EXPECT_EQ(to_gate_markdown(sample_gate(GateVerdict::improved, 0.8)).find(red), std::string::npos);
}

TEST(GateMarkdown, StaysBelowTheLimitOfAComment) {
  GateResult result = sample_gate(GateVerdict::regressed);
  for (int i = 0; i < 3'000; ++i) {
    result.rows.push_back(gate_row("metric_" + std::to_string(i), 1.1, GateVerdict::pass));
  }
  EXPECT_LE(to_gate_markdown(result).size(), kCommentLimitBytes);
}

TEST(GateMarkdown, NamesAreText) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  result.candidate.words = "a|b <script> @everybody";
  result.run.scenario.name = "x --> <b>";
  const std::string page = to_gate_markdown(result);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(page.find("@everybody"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
}

TEST(GateText, TheWorstRowMakesTheHeadline) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.rows.insert(result.rows.begin(), gate_row("epoch_time", 1, GateVerdict::pass));
  EXPECT_TRUE(gate_headline(result).starts_with("REGRESSED: throughput"));
  EXPECT_EQ(gate_table(result).rows[0][0], "throughput");
}

}  // namespace
}  // namespace tune::report
