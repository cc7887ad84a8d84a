#include "report/gate_json.h"
#include "report/gate_junit.h"
#include "report/gate_markdown.h"
#include "report/gate_text.h"
#include "sample_result.h"
#include "xml_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

gate::Row row_of(const std::string& metric, double worse, GateVerdict verdict) {
  gate::Row row;
  row.metric = metric;
  row.unit = "samples/s";
  row.budget_ratio = 0.03;
  row.baseline.value = 100;
  row.candidate.value = 100 / worse;
  row.delta = 1 / worse - 1;
  row.has_interval = true;
  row.delta_lower = row.delta - 0.01;
  row.delta_upper = row.delta + 0.01;
  row.confidence = 0.99;
  row.pairs = 10;
  row.verdict = verdict;
  row.why = "because";
  row.evidence.estimate = worse - 1;
  row.mde = 0.02;
  return row;
}

GateResult sample_gate(GateVerdict verdict, double worse = 1.2) {
  GateResult result;
  result.run = sample_result();
  result.run.trials.clear();
  result.looks = {.pairs = {10, 16, 24}, .alpha = 0.005, .rows = 1};
  result.policy.budgets = {{"throughput", 0.03}};
  result.baseline.words = "the scenario's baseline setting";
  result.candidate.words = "intra_op_threads=1";
  result.rows = {row_of("throughput", worse, verdict)};
  gate::CountedRow counted;
  counted.metric = "operators";
  counted.unit = "calls";
  counted.baseline_low = counted.baseline_high = 61;
  counted.candidate_low = counted.candidate_high = 62;
  counted.verdict = GateVerdict::regressed;
  counted.why = "one step does more than before";
  result.counted = {counted};
  result.pairs.resize(10);
  result.look_records.push_back({.utc = "2026-11-21T12:00:00Z",
                                 .pairs = 10,
                                 .alpha_spent = 0.0033,
                                 .alpha_total = 0.0033,
                                 .rows = result.rows});
  result.calibration = "uncalibrated";
  result.verdict = verdict;
  result.why = "throughput: because";
  return result;
}

std::string complaint(const std::string& document) {
  std::ifstream file(std::string(SOURCE_DIR) + "/reports/schema/result.schema.json");
  const auto text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::ValidationResults results;
  const auto parsed = nlohmann::json::parse(document);
  valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(parsed), &results);
  valijson::ValidationResults::Error error;
  std::string found;
  while (results.popError(error)) {
    for (const std::string& step : error.context) {
      found += step;
    }
    found += ": " + error.description + "\n";
  }
  return found;
}

TEST(GateJson, FitsTheSchemaHoweverItEnded) {
  for (const GateVerdict verdict : {GateVerdict::pass,
                                    GateVerdict::regressed,
                                    GateVerdict::improved,
                                    GateVerdict::inconclusive}) {
    EXPECT_EQ(complaint(to_gate_json(sample_gate(verdict))), "");
  }
  GateResult failed = sample_gate(GateVerdict::regressed);
  failed.end = gate::End::candidate_failed;
  failed.end_reason = "the candidate failed, crashed: SIGSEGV";
  failed.rows.clear();
  failed.counted.clear();
  failed.pairs.clear();
  failed.look_records.clear();
  EXPECT_EQ(complaint(to_gate_json(failed)), "");
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
    result.rows.push_back(row_of("metric_" + std::to_string(i), 1.1, GateVerdict::pass));
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

TEST(GateJunit, IsWellFormedAndFailsOnlyWhatIsGatedAndWorse) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.candidate.words = result.rows[0].why = "a < b & \"c\" \x01";
  const XmlDocument document = read_xml(to_gate_junit(result).substr(39));
  EXPECT_EQ(document.problem, "");
  std::size_t failures = 0;
  std::size_t cases = 0;
  for (const XmlElement& element : document.elements) {
    failures += element.tag == "failure" ? 1 : 0;
    cases += element.tag == "testcase" ? 1 : 0;
  }
  EXPECT_EQ(failures, 1U);
  EXPECT_EQ(cases, 1U);
}

TEST(GateJunit, InconclusiveIsSkippedAndShadowFailsNothing) {
  GateResult open = sample_gate(GateVerdict::inconclusive);
  EXPECT_NE(to_gate_junit(open).find("<skipped "), std::string::npos);
  open.policy.inconclusive = gate::Inconclusive::fail;
  EXPECT_NE(to_gate_junit(open).find("<failure "), std::string::npos);
  GateResult shadow = sample_gate(GateVerdict::regressed);
  shadow.policy.mode = gate::Mode::shadow;
  EXPECT_EQ(to_gate_junit(shadow).find("<failure "), std::string::npos);
}

TEST(GateText, TheWorstRowMakesTheHeadline) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.rows.insert(result.rows.begin(), row_of("epoch_time", 1, GateVerdict::pass));
  EXPECT_TRUE(gate_headline(result).starts_with("REGRESSED: throughput"));
  EXPECT_EQ(gate_table(result).rows[0][0], "throughput");
}

}  // namespace
}  // namespace tune::report
