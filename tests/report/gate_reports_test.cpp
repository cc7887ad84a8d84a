#include "measure/gate/anchor.h"
#include "report/format/formats.h"
#include "report/gate_json.h"
#include "report/gate_pages.h"
#include "report/gate_row_words.h"
#include "report/gate_sentences.h"
#include "result/result.h"
#include "sample_gate.h"
#include "schema_complaint.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

std::string markdown_of(const GateResult& result, std::size_t limit = kCommentLimitBytes) {
  return to_gate_markdown(to_gate_record(result), limit);
}

// Names of the rows in the order in which people read them.
std::vector<std::string> names_of_rows(const GateResult& result) {
  std::vector<std::string> names;
  for (const auto& row : table_of_rows(to_gate_record(result).result.gate->rows).rows) {
    names.push_back(row.front());
  }
  return names;
}

// What is said between the sides' counts and the verdict.
std::string answer_of(const GateResult& result) {
  return to_gate_answer(to_gate_record(result), {}, {});
}

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
  const std::string page = markdown_of(result);
  EXPECT_NE(page.find("PASS: nothing changed"), std::string::npos);
  EXPECT_NE(page.find("Nothing was measured"), std::string::npos);
  const std::string junit = to_junit(result::read_result(document, "result.json"), {});
  EXPECT_NE(junit.find("failures=\"0\" errors=\"0\" skipped=\"0\""), std::string::npos) << junit;
}

TEST(GateJson, WhatIsNotKnownIsNullWithAReason) {
  GateResult result = sample_gate(GateVerdict::inconclusive);
  result.rows[0].delta.lower = result.rows[0].delta.upper = std::nullopt;
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

// A finding would advise to look for what the verdict has just told, with a number of its own.
TEST(GateReports, AskNoRuleWhatTheVerdictSays) {
  const GateResult gate = sample_gate(GateVerdict::regressed);
  const auto json = nlohmann::json::parse(to_gate_json(gate));
  EXPECT_TRUE(json["findings"].empty());
  EXPECT_EQ(json["findings_reason"], "a gate asks no rules: its verdict says what changed");
  const GateRecord record = to_gate_record(gate);
  for (const std::string& text : {to_gate_text(record, {}),
                                  to_gate_answer(record, {}, {}),
                                  to_gate_markdown(record),
                                  to_gate_html(record)}) {
    EXPECT_EQ(text.find("performance-regression"), std::string::npos) << text;
  }
}

TEST(GateMarkdown, BeginsWithTheMarkerOfItsComment) {
  const std::string page = markdown_of(sample_gate(GateVerdict::regressed));
  EXPECT_TRUE(page.starts_with("<!-- tune-gate: resnet18 -->\n"));
  EXPECT_NE(page.find("REGRESSED: throughput -16.7 %"), std::string::npos);
  EXPECT_NE(page.find("the likely cause"), std::string::npos);
}

TEST(GateMarkdown, OnlyWorseIsRed) {
  const char* const red = "\xF0\x9F\x94\xB4";
  EXPECT_NE(markdown_of(sample_gate(GateVerdict::regressed)).find(red), std::string::npos);
  EXPECT_EQ(markdown_of(sample_gate(GateVerdict::inconclusive)).find(red), std::string::npos);
  EXPECT_EQ(markdown_of(sample_gate(GateVerdict::improved, 0.8)).find(red), std::string::npos);
}

TEST(GateMarkdown, StaysBelowTheLimitOfAComment) {
  GateResult result = sample_gate(GateVerdict::regressed);
  for (int i = 0; i < 3'000; ++i) {
    result.rows.push_back(gate_row("metric_" + std::to_string(i), 1.1, GateVerdict::pass));
  }
  EXPECT_LE(markdown_of(result).size(), kCommentLimitBytes);
}

TEST(GateMarkdown, NamesAreText) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  result.candidate.words = "a|b <script> @everybody";
  result.run.scenario.name = "x --> <b>";
  const std::string page = markdown_of(result);
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_EQ(page.find("@everybody"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
}

TEST(GateText, TheWorstRowMakesTheHeadline) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.rows.insert(result.rows.begin(), gate_row("epoch_time", 1, GateVerdict::pass));
  EXPECT_TRUE(gate_headline(result).starts_with("REGRESSED: throughput"));
  EXPECT_EQ(names_of_rows(result).front(), "throughput");
}

TEST(GateText, RowsStandByVerdictAndThenByHowMuchWorseTheyAre) {
  GateResult result = sample_gate(GateVerdict::pass, 1.01);
  result.rows.push_back(gate_row("a", 1.2, GateVerdict::regressed));
  result.rows.push_back(gate_row("b", 1.04, GateVerdict::pass));
  result.rows.push_back(gate_row("c", 1.3, GateVerdict::regressed));
  result.rows.push_back(gate_row("d", 1.1, GateVerdict::inconclusive));
  result.rows.push_back(gate_row("e", std::nan(""), GateVerdict::pass));
  gate::CountedRow free = result.counted.front();
  free.metric = "not gated";
  free.is_gated = false;
  result.counted.front().is_gated = true;
  result.counted.insert(result.counted.begin(), free);
  EXPECT_EQ(
      names_of_rows(result),
      (std::vector<std::string>{"c", "a", "operators", "d", "b", "throughput", "e", "not gated"}));
}

TEST(GateMarkdown, ShowsTheWorstTwentyRowsAndFoldsTheRest) {
  GateResult result = sample_gate(GateVerdict::regressed);
  for (int i = 0; i < 30; ++i) {
    result.rows.push_back(
        gate_row("metric_" + std::to_string(i), 1 + 0.001 * i, GateVerdict::pass));
  }
  const std::string page = markdown_of(result);
  const auto fold = page.find("12 more rows");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_LT(page.find("| metric_29 |"), fold) << "the worst of those that passed";
  EXPECT_GT(page.find("| metric_0 |"), fold);
}

TEST(GateMarkdown, TakesTheRoomThatIsLeft) {
  const std::string whole = markdown_of(measured_gate());
  for (const std::size_t limit : {std::size_t{2'000}, std::size_t{3'000}, whole.size()}) {
    const std::string page = markdown_of(measured_gate(), limit);
    EXPECT_LE(page.size(), limit);
    EXPECT_TRUE(page.starts_with("<!-- tune-gate: resnet18 -->\n"));
  }
  EXPECT_EQ(markdown_of(measured_gate(), whole.size()), whole);
}

// A count had REGRESSED when the times lost their answer.
GateResult disturbed_gate() {
  GateResult result = sample_gate(GateVerdict::inconclusive);
  result.counted.front().is_gated = true;
  result.rows.clear();
  result.look_records.clear();
  result.pairs.clear();
  result.end = gate::End::disturbed;
  result.end_reason = "the machine is too busy";
  result.verdict = GateVerdict::regressed;
  result.why = "operators: one step does more than before";
  return result;
}

TEST(GateReports, OfARowThatDecidedBeforeTheEndTellBoth) {
  const GateResult result = disturbed_gate();
  EXPECT_EQ(gate_headline(result),
            "REGRESSED: operators: one step does more than before; the gate ended early: the "
            "machine is too busy");
  const std::string document = to_gate_json(result);
  EXPECT_EQ(complaint(nlohmann::json::parse(document)), "");
  const result::Result stored = result::read_result(document, "result.json");
  const std::string junit = to_junit(stored, {});
  EXPECT_NE(junit.find("message=\"operators: REGRESSED\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<skipped message=\"the machine is too busy\""), std::string::npos) << junit;
  const std::string sarif = to_sarif(stored, {});
  EXPECT_NE(sarif.find("INCONCLUSIVE: the machine is too busy"), std::string::npos) << sarif;
  EXPECT_EQ(sarif.find("REGRESSED: the machine is too busy"), std::string::npos) << sarif;
}

TEST(GateReports, OfAnAnchorWhoseRowDecidedTellItsReason) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  GateResult second = sample_gate(GateVerdict::regressed, 1.08);
  second.end = gate::End::disturbed;
  second.end_reason = "the machine is too busy";
  gate::add_anchor(result, gate::weigh_anchor(second));
  EXPECT_TRUE(gate_headline(result).starts_with("REGRESSED against the anchor"))
      << gate_headline(result);
  EXPECT_TRUE(gate_headline(result).ends_with(
      "budget 3.0 %; the gate ended early: the machine is too busy"))
      << gate_headline(result);
  const GateRecord record = to_gate_record(result);
  EXPECT_NE(to_gate_text(record, {}).find("against the anchor: REGRESSED: throughput: because"),
            std::string::npos);
  EXPECT_NE(to_gate_html(record).find("REGRESSED: throughput: because."), std::string::npos);
}

nlohmann::json anchor_of(const GateResult& result) {
  const auto json = nlohmann::json::parse(to_gate_json(result));
  EXPECT_EQ(complaint(json), "");
  return json["gate"]["anchor"];
}

TEST(GateAnchor, IsAPartOfEveryReport) {
  const GateResult result = anchored_gate();
  const auto anchor = anchor_of(result);
  EXPECT_EQ(anchor["verdict"], "REGRESSED");
  EXPECT_EQ(anchor["decides"], true);
  EXPECT_EQ(anchor["rows"].size(), 2U);
  EXPECT_EQ(anchor["exit_code"], 1);
  EXPECT_EQ(anchor["may_move"], false);
  const std::string headline =
      "REGRESSED against the anchor, v1.0 at 00112233aabb: throughput -7.4 %";
  EXPECT_TRUE(gate_headline(result).starts_with(headline)) << gate_headline(result);
  const std::string page = markdown_of(result);
  EXPECT_NE(page.find("### Against the anchor, v1.0 at 00112233aabb"), std::string::npos);
  EXPECT_NE(page.find("the anchor stays: throughput may be worse by 9.0 %, half of its budget is"),
            std::string::npos);
  EXPECT_NE(page.find("the anchor was built anew"), std::string::npos);
  EXPECT_NE(page.find("\xF0\x9F\x94\xB4"), std::string::npos) << "red";
}

// Whoever asks whether it became slower is not answered with the memory, which grew more.
TEST(GateReports, ThatPassNameTheFirstMetric) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  gate::Row memory = result.rows.front();
  memory.metric = "peak_memory_bytes";
  memory.evidence.estimate += 0.01;
  result.rows.push_back(std::move(memory));
  EXPECT_TRUE(gate_headline(result).starts_with("PASS: throughput ")) << gate_headline(result);
}

TEST(GateAnchor, ThatPassesLeavesTheHeadlineToTheGate) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  GateResult second = sample_gate(GateVerdict::pass, 1.01);
  second.rows.front().evidence.upper = 0.012;
  gate::add_anchor(result, gate::weigh_anchor(second));
  EXPECT_TRUE(gate_headline(result).starts_with("PASS: throughput +0.0 %"));
  const auto anchor = anchor_of(result);
  EXPECT_EQ(anchor["may_move"], true);
  EXPECT_EQ(
      anchor["move"],
      "the anchor may move to the candidate: nothing is worse by more than half of its budget");
}

TEST(GateAnchor, OfARowThatIsUndecidedNoAmountIsTold) {
  GateResult second = sample_gate(GateVerdict::inconclusive, 1.01);
  second.rows.front().evidence.upper = 0.01;
  second.rows.front().why = "the environment changed";
  EXPECT_EQ(anchor_move_text(gate::weigh_anchor(second)),
            "the anchor stays: throughput is undecided, the environment changed");
}

TEST(GateAnchor, ThatWasDisturbedGivesItsReasonAsTheHeadline) {
  GateResult result = sample_gate(GateVerdict::pass, 1);
  GateResult second = sample_gate(GateVerdict::inconclusive, 1.01);
  second.end = gate::End::disturbed;
  second.why = second.end_reason = "too many slices were disturbed";
  gate::add_anchor(result, gate::weigh_anchor(second));
  EXPECT_TRUE(gate_headline(result).ends_with("too many slices were disturbed"))
      << gate_headline(result);
}

TEST(GateAnchor, ThatWasSkippedSaysWhy) {
  GateResult result = sample_gate(GateVerdict::inconclusive);
  result.end = gate::End::not_steady;
  result.end_reason = result.why = "no-steady-state";
  gate::add_anchor(result, gate::skipped_anchor("v1.0", "the gate itself judged nothing"));
  const auto anchor = anchor_of(result);
  EXPECT_EQ(anchor["skipped"], "the gate itself judged nothing");
  EXPECT_TRUE(anchor["verdict"].is_null());
  EXPECT_NE(markdown_of(result).find("not compared: the gate itself judged nothing"),
            std::string::npos);
}

TEST(GateAnchor, WithoutOneIsNull) {
  EXPECT_TRUE(anchor_of(sample_gate(GateVerdict::pass)).is_null());
}

TEST(GateReports, SayThatNothingWasMeasured) {
  GateResult result = measured_gate();
  result.after_the_fact = {.directory = "/runs/a", .started_utc = "2026-11-21T12:00:00Z"};
  const auto json = nlohmann::json::parse(to_gate_json(result));
  EXPECT_EQ(complaint(json), "");
  EXPECT_EQ(json["gate"]["after_the_fact"]["kind"], "gate");
  const char* const told = "nothing was measured, the processes are those of the gate /runs/a";
  EXPECT_NE(markdown_of(result).find(told), std::string::npos);
  const char* const advice = "advice, not a test";
  EXPECT_EQ(markdown_of(result).find(advice), std::string::npos);
  result.after_the_fact->other_policy = true;
  EXPECT_NE(markdown_of(result).find(advice), std::string::npos);
}

TEST(GateText, OffersToKeepWhatImproved) {
  const std::string budget = "gate: {budget: {throughput: 1.5%}}";
  const std::string begin_anew = "what improved can become the new baseline";
  GateResult result = sample_gate(GateVerdict::improved, 0.8);
  result.rows.front().mde = 0.012;
  EXPECT_NE(answer_of(result).find(budget), std::string::npos) << answer_of(result);
  EXPECT_NE(markdown_of(result).find("a smaller budget would keep it so"), std::string::npos);
  EXPECT_EQ(answer_of(result).find(begin_anew), std::string::npos);
  result.rows.front().mde = 0.05;
  EXPECT_EQ(answer_of(result).find("smaller budget"), std::string::npos)
      << "noise allows no smaller budget";
  result.baseline_name = "nightly";
  result.baseline.words = "stored baseline nightly of 2026-11-21T12:00:00Z";
  EXPECT_NE(answer_of(result).find("--cell candidate --name nightly --force"), std::string::npos);
  EXPECT_EQ(answer_of(result).find("smaller budget"), std::string::npos);
  result.baseline.words = "baseline file nightly of 2026-11-21T12:00:00Z";
  EXPECT_EQ(answer_of(result).find(begin_anew), std::string::npos) << "it is no stored one";
  const std::string other = answer_of(sample_gate(GateVerdict::pass));
  EXPECT_EQ(other.find("smaller budget"), std::string::npos);
  EXPECT_EQ(other.find(begin_anew), std::string::npos);
}

}  // namespace
}  // namespace tune::report
