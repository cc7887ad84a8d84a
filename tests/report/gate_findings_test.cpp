#include "report/gate_findings.h"

#include "report/gate_json.h"
#include "report/gate_pages.h"
#include "sample_gate.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tune::report {
namespace {

using gate::GateResult;
using stats::GateVerdict;

nlohmann::json finding_of(const GateResult& result) {
  return nlohmann::json::parse(to_gate_json(result))["findings"].at(0);
}

TEST(GateFindings, AreOfTheGateItselfNotOfItsAnchor) {
  EXPECT_EQ(finding_of(sample_gate(GateVerdict::regressed))["state"], "fired");
  const GateResult anchored = anchored_gate();
  ASSERT_EQ(anchored.verdict, GateVerdict::regressed);
  EXPECT_NE(finding_of(anchored)["state"], "fired") << finding_of(anchored);
}

// The candidate waits for data a fifth of the step longer.
GateResult moved_gate(GateVerdict verdict) {
  GateResult result = sample_gate(verdict, 1);
  result.baseline.name = "baseline";
  result.candidate.name = "candidate";
  for (campaign::TrialRecord& record : result.run.trials) {
    record.spec.id = "p0" + record.spec.id.substr(4);
    for (trial::Slice& slice : record.outcome.reply->slices) {
      slice.disturbance = {};
      slice.phases.data_wait_ns += record.spec.cell == "candidate" ? slice.wall_ns / 5 : 0;
    }
  }
  return result;
}

TEST(GateFindings, AreQuietWhereTheSidesAreTheSameOrNoiseHidesThem) {
  EXPECT_EQ(finding_of(moved_gate(GateVerdict::pass))["state"], "fired");
  EXPECT_EQ(finding_of(moved_gate(GateVerdict::inconclusive))["state"], "not-applicable");
  for (const GateVerdict verdict :
       {GateVerdict::regressed, GateVerdict::pass, GateVerdict::inconclusive}) {
    GateResult equal = moved_gate(verdict);
    equal.sides_are_equal = true;
    EXPECT_EQ(finding_of(equal)["state"], "not-applicable");
    EXPECT_TRUE(to_gate_record(equal).findings.empty());
    EXPECT_EQ(to_gate_markdown(to_gate_record(equal)).find("performance-regression"),
              std::string::npos);
  }
}

TEST(GateFindings, OfACandidateThatFailedDoNotCallItSlower) {
  GateResult failed = moved_gate(GateVerdict::regressed);
  failed.end = gate::End::candidate_failed;
  failed.end_reason = failed.why = "the candidate failed, crashed: SIGSEGV";
  EXPECT_EQ(finding_of(failed)["state"], "not-applicable");
}

TEST(GateFindings, OfCountsOrMemoryAloneDoNotCallTheCandidateSlower) {
  GateResult counted = sample_gate(GateVerdict::regressed);
  counted.rows.front().verdict = GateVerdict::pass;
  EXPECT_EQ(finding_of(counted)["state"], "not-applicable");
  EXPECT_TRUE(to_gate_record(counted).findings.empty());
  counted.rows.clear();  // --structural-only
  EXPECT_EQ(finding_of(counted)["state"], "not-applicable");
  counted.rows = {gate_row("peak_memory_bytes", 1.2, GateVerdict::regressed)};
  EXPECT_EQ(finding_of(counted)["state"], "not-applicable");
  counted.rows.push_back(gate_row("throughput", 1.2, GateVerdict::regressed));
  EXPECT_EQ(finding_of(counted)["state"], "fired");
}

TEST(GateFindings, ThatFiredAreToldInEveryForm) {
  const GateRecord record = to_gate_record(sample_gate(GateVerdict::regressed));
  const std::vector<std::string>& lines = record.findings;
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(
      lines[0].starts_with("Find the change that made it slower (performance-regression, high): "
                           "the gate says REGRESSED"))
      << lines[0];
  EXPECT_NE(to_gate_markdown(record).find("- Finding: Find the change that made it slower"),
            std::string::npos);
  for (const std::string& text : {to_gate_text(record, {}), to_gate_answer(record, {}, {})}) {
    EXPECT_NE(text.find("\nfinding: " + lines[0] + "\n"), std::string::npos) << text;
  }
}

TEST(GateFindings, AreNotToldWhereNoneFired) {
  const GateRecord record = to_gate_record(sample_gate(GateVerdict::pass));
  EXPECT_TRUE(record.findings.empty());
  EXPECT_EQ(to_gate_markdown(record).find("Finding:"), std::string::npos);
  EXPECT_EQ(to_gate_html(record).find("What the rules say"), std::string::npos);
}

}  // namespace
}  // namespace tune::report
