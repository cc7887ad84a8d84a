#include "format_check.h"
#include "measure/gate/anchor.h"
#include "report/format/formats.h"
#include "report/gate_json.h"
#include "sample_gate.h"
#include "stored_samples.h"
#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

std::string junit_of(const GateResult& result) {
  return to_junit(result::read_result(to_gate_json(result), "result.json"), {});
}

std::string junit_of(const nlohmann::json& document) {
  return to_junit(stored(document), {});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(JunitFormat, OfAGateFailsOnlyWhatIsGatedAndWorse) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.candidate.words = result.rows[0].why = "a < b & \"c\" \x01";
  const std::string text = junit_of(result);
  EXPECT_EQ(format_complaint("junit", text), "");
  EXPECT_EQ(count(text, "<failure "), 1U);
  EXPECT_EQ(count(text, "<testcase "), 1U);
  EXPECT_NE(text.find("failures=\"1\""), std::string::npos);
  EXPECT_NE(text.find("-16.7 %"), std::string::npos) << "the numbers are in the message";
}

TEST(JunitFormat, InconclusiveIsSkippedAndShadowFailsNothing) {
  GateResult open = sample_gate(GateVerdict::inconclusive);
  EXPECT_EQ(count(junit_of(open), "<skipped "), 1U);
  open.policy.inconclusive = gate::Inconclusive::fail;
  EXPECT_EQ(count(junit_of(open), "<failure "), 1U);
  open.policy.inconclusive = gate::Inconclusive::pass;
  EXPECT_EQ(count(junit_of(open), "<failure ") + count(junit_of(open), "<skipped "), 0U);
  GateResult shadow = sample_gate(GateVerdict::regressed);
  for (const gate::Mode mode : {gate::Mode::shadow, gate::Mode::warn}) {
    shadow.policy.mode = mode;
    EXPECT_EQ(count(junit_of(shadow), "<failure "), 0U);
  }
}

TEST(JunitFormat, AGateThatJudgedNothingIsACaseOfItsOwn) {
  GateResult result = sample_gate(GateVerdict::regressed);
  result.rows.clear();
  result.counted.clear();
  result.end = gate::End::candidate_failed;
  result.end_reason = "the candidate failed, crashed: SIGSEGV";
  EXPECT_EQ(count(junit_of(result), "<error message=\"the candidate failed, crashed: SIGSEGV\""),
            1U);
  result.end = gate::End::time_cap;
  result.verdict = GateVerdict::inconclusive;
  EXPECT_EQ(count(junit_of(result), "<skipped "), 1U);
}

TEST(JunitFormat, OfAnAnchorHasCasesOfItsOwn) {
  const std::string text = junit_of(anchored_gate());
  EXPECT_EQ(format_complaint("junit", text), "");
  EXPECT_EQ(count(text, "<testcase "), 3U);
  EXPECT_EQ(count(text, "<failure "), 1U);
  EXPECT_NE(text.find("name=\"throughput against the anchor, v1.0 at 00112233aabb\"><failure"),
            std::string::npos)
      << text;
  GateResult skipped = sample_gate(GateVerdict::pass);
  gate::add_anchor(skipped, gate::skipped_anchor("v1.0", "the gate itself judged nothing"));
  EXPECT_EQ(count(junit_of(skipped), "<skipped message=\"the gate itself judged nothing\""), 1U);
  GateResult failed = sample_gate(GateVerdict::pass);
  gate::Anchor anchor;
  anchor.words = "v1.0";
  anchor.end = gate::End::baseline_failed;
  anchor.end_reason = "it does not build";
  anchor.verdict = GateVerdict::inconclusive;
  gate::add_anchor(failed, anchor);
  EXPECT_EQ(count(junit_of(failed), "<error message=\"it does not build\""), 1U);
}

TEST(JunitFormat, OfARunHasACaseForEveryCell) {
  const std::string text = junit_of(run_document());
  EXPECT_EQ(format_complaint("junit", text), "");
  EXPECT_EQ(count(text, "<testcase "), 24U);
  EXPECT_EQ(count(text, "<error "), 1U) << "c21 crashed";
  EXPECT_EQ(count(text, "<skipped "), 1U) << "c11 ran out of memory: a result, no failure";
  EXPECT_EQ(count(text, "<failure "), 0U);
  EXPECT_NE(text.find("name=\"baseline: throughput\" time=\""), std::string::npos);
  EXPECT_NE(text.find("gain +185"), std::string::npos);
}

TEST(JunitFormat, ABaselineOutOfMemoryIsAnError) {
  auto document = run_document();
  for (auto& cell : document["cells"]) {
    if (cell["id"] == "baseline") {
      cell["outcome"] = "out-of-memory";
      cell["throughput"] = nullptr;
    }
  }
  EXPECT_EQ(count(junit_of(document), "<error "), 2U);
}

TEST(JunitFormat, SaysWhatOfAPromisedRunIsMissing) {
  auto document = run_document();
  document["provenance"]["incomplete_reason"] = "budget of 5m used up: 12 of 72 trials missing";
  const std::string text = junit_of(document);
  EXPECT_EQ(count(text, "<skipped message=\"budget of 5m used up"), 1U);
  EXPECT_EQ(format_complaint("junit", text), "");
}

}  // namespace
}  // namespace tune::report
