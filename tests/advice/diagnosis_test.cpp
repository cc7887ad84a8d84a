#include "advice/diagnosis.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using expression::Unknown;
using expression::Value;
using rule::Severity;
using rule::State;

TEST(Severity, ComesFromTheUpperGain) {
  EXPECT_EQ(severity_of_gain(0.10), Severity::high);
  EXPECT_EQ(severity_of_gain(0.0999), Severity::medium);
  EXPECT_EQ(severity_of_gain(0.03), Severity::medium);
  EXPECT_EQ(severity_of_gain(0.0299), Severity::low);
  EXPECT_EQ(severity_of_gain(0.005), Severity::low);
  EXPECT_EQ(severity_of_gain(0.0049), std::nullopt);
}

TEST(Diagnosis, FindsAndRecommends) {
  const rule::Catalog catalog = catalog_of({{"wait", ""}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  ASSERT_EQ(diagnosis.findings.size(), 1U);
  const Finding& finding = diagnosis.findings[0];
  EXPECT_EQ(finding.state, State::fired);
  EXPECT_EQ(finding.severity, Severity::high);
  EXPECT_EQ(finding.text, "data_wait_ratio 0.2 > 5% ✓");
  ASSERT_EQ(finding.evidence.size(), 1U);
  EXPECT_EQ(finding.evidence[0].limit, "5%");
  EXPECT_EQ(finding.evidence[0].limit_source, "own");
  EXPECT_EQ(finding.evidence[0].source, "trace");
  ASSERT_EQ(diagnosis.recommendations.size(), 1U);
  EXPECT_EQ(diagnosis.recommendations[0].id, "R1");
  EXPECT_EQ(diagnosis.recommendations[0].risks, std::vector<std::string>{"none"});
}

TEST(Diagnosis, IsQuietWhereNothingIsToBeGained) {
  const rule::RuleFile file = changed_rule("little", "removable: [0.5, 1]", "removable: [0, 0.01]");
  const rule::Catalog catalog = rule::read_catalog({file});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(diagnosis.findings[0].state, State::quiet);
  EXPECT_EQ(diagnosis.findings[0].reason, "the predicted gain is below 0.5 %");
  EXPECT_TRUE(diagnosis.recommendations.empty());
}

TEST(Diagnosis, KeepsAFindingWhoseGainIsUnknown) {
  const rule::RuleFile file = changed_rule(
      "some", "{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}", "{model: measured}");
  const rule::Catalog catalog = rule::read_catalog({file});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(diagnosis.findings[0].severity, Severity::info);
  ASSERT_EQ(diagnosis.recommendations.size(), 1U);
  EXPECT_FALSE(diagnosis.recommendations[0].predicted.is_known());
}

TEST(Diagnosis, IsNoSurerThanItsNumbers) {
  const rule::Catalog catalog = catalog_of({{"wait", ""}});
  rule::FactTable facts = waiting(0.2);
  EXPECT_EQ(diagnose(catalog, facts).findings[0].confidence, Confidence::high);
  facts.step_count = 19;
  EXPECT_EQ(diagnose(catalog, facts).findings[0].confidence, Confidence::medium);
  facts.set("data_wait_ratio",
            {.result = Value::of(0.2), .warnings = {"no-step-marks", "one-step"}});
  const Diagnosis one = diagnose(catalog, facts);
  EXPECT_EQ(one.findings[0].confidence, Confidence::low);
  EXPECT_EQ(one.findings[0].labels, (std::vector<std::string>{"no-step-marks", "one-step"}));
}

TEST(Diagnosis, RefusesTimesOfAProfilerThatSlowedTheStepDown) {
  const rule::Catalog catalog = catalog_of({{"wait", ""}});
  rule::FactTable facts = waiting(0.2);
  facts.set("profiler_dilation_ratio", {.result = Value::of(1.1), .window = "measure"});
  EXPECT_EQ(diagnose(catalog, facts).findings[0].state, State::fired);
  facts.set("profiler_dilation_ratio", {.result = Value::of(1.2), .window = "measure"});
  const Diagnosis refused = diagnose(catalog, facts);
  EXPECT_EQ(refused.findings[0].state, State::not_applicable);
  EXPECT_EQ(refused.findings[0].reason,
            "data_wait_ratio: recording made the step 1.20 times as long: times of the profiled "
            "window are not trusted");
  facts.set("data_wait_ratio", {.result = Value::of(0.2), .window = "measure"});
  EXPECT_EQ(diagnose(catalog, facts).findings[0].state, State::fired);
}

TEST(Diagnosis, TrustsLessWhenARuleOfValidityFires) {
  const rule::RuleFile doubt = changed_rule("doubt", "group: input", "group: validity");
  const rule::Catalog catalog =
      rule::read_catalog({doubt, {"rules/wait.yaml", rule::short_rule("wait")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  EXPECT_EQ(finding_of(diagnosis, "wait").confidence, Confidence::low);
}

TEST(Diagnosis, BelievesNothingOfAWindowThatARuleRejects) {
  const rule::RuleFile doubt =
      changed_rule("doubt", "group: input", "group: validity", "rejects_window: true\n");
  const rule::Catalog catalog =
      rule::read_catalog({doubt, {"rules/wait.yaml", rule::short_rule("wait")}});
  rule::FactTable facts = waiting(0.2);
  const Diagnosis rejected = diagnose(catalog, facts);
  EXPECT_EQ(finding_of(rejected, "doubt").state, State::fired);
  EXPECT_EQ(finding_of(rejected, "wait").state, State::not_applicable);
  EXPECT_EQ(finding_of(rejected, "wait").reason, "data_wait_ratio: rejected by doubt");
  facts.set("data_wait_ratio", {.result = Value::of(0.2), .window = "measure"});
  EXPECT_EQ(finding_of(diagnose(catalog, facts), "wait").state, State::fired);
}

TEST(Diagnosis, ListsFiredThenQuietThenNotApplicable) {
  const rule::RuleFile quiet = changed_rule("a-quiet", "value: 5%", "value: 50%");
  const rule::RuleFile unknown = changed_rule(
      "b-unknown", "needs: [data_wait_ratio]", "needs: [data_wait_ratio, num_workers]");
  rule::RuleFile missing = unknown;
  missing.text.replace(missing.text.find("when: data_wait_ratio"), 21, "when: num_workers");
  const rule::RuleFile small =
      changed_rule("c-small", "removable: [0.5, 1]", "removable: [0.1, 0.2]");
  const rule::Catalog catalog = rule::read_catalog(
      {quiet, missing, small, {"rules/d-large.yaml", rule::short_rule("d-large")}});
  const Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
  std::vector<std::string> order;
  for (const Finding& finding : diagnosis.findings) {
    order.push_back(finding.rule->id);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"d-large", "c-small", "a-quiet", "b-unknown"}));
  EXPECT_EQ(diagnosis.count(State::fired), 2U);
  EXPECT_TRUE(finding_of(diagnosis, "b-unknown").needs_a_run);
}

}  // namespace
}  // namespace tune::advice
