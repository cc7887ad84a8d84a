#include "advice/rule/evaluate_rule.h"

#include "sample_rule.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

using expression::Dimension;
using expression::Result;
using expression::Unknown;
using expression::Value;

struct Given {
  Result host = Value::of(0.06), device_share = Value::of(0.02), device = Value::of("cuda");
};

Evaluation evaluate(const Given& given) {
  FactTable facts;
  facts.set("device", {.result = given.device});
  facts.set("h2d_pageable_host_ratio", {.result = given.host});
  facts.set("h2d_device_ratio", {.result = given.device_share});
  return evaluate_rule(sample_rule(), facts);
}

TEST(EvaluateRule, FiresWhenItsConditionIsTrue) {
  const Evaluation fired = evaluate({});
  EXPECT_EQ(fired.state, State::fired);
  EXPECT_EQ(fired.reason, "");
  EXPECT_EQ(fired.text,
            "h2d_pageable_host_ratio 0.06 >= 3% ✓ and h2d_pageable_host_ratio 0.06 > "
            "h2d_device_ratio 0.02 ✓");
  ASSERT_EQ(fired.parts.size(), 3U);
  EXPECT_EQ(fired.parts[1].text, "h2d_pageable_host_ratio 0.06 >= 3% ✓");
  EXPECT_EQ(fired.parts[1].level, 1U);
}

TEST(EvaluateRule, IsQuietWhenItIsFalse) {
  const Evaluation quiet = evaluate({.host = Value::of(0.02)});
  EXPECT_EQ(quiet.state, State::quiet);
  EXPECT_EQ(quiet.text.substr(0, 38), "h2d_pageable_host_ratio 0.02 >= 3% ✗");
}

TEST(EvaluateRule, IsQuietWhenWhatIsKnownDecides) {
  EXPECT_EQ(evaluate({.host = Value::of(0.02), .device_share = Unknown{"no calls"}}).state,
            State::quiet);
}

TEST(EvaluateRule, IsNotApplicableWithTheReasonThatDecided) {
  const Evaluation unknown = evaluate({.device_share = Unknown{"no calls"}});
  EXPECT_EQ(unknown.state, State::not_applicable);
  EXPECT_EQ(unknown.reason, "h2d_device_ratio: no calls");
  EXPECT_FALSE(unknown.needs_a_run);
}

TEST(EvaluateRule, IsNotApplicableWhereItDoesNotApply) {
  const Evaluation elsewhere = evaluate({.device = Value::of("cpu")});
  EXPECT_EQ(elsewhere.state, State::not_applicable);
  EXPECT_EQ(elsewhere.reason, "does not apply here: device 'cpu' == 'cuda' ✗");
  const Evaluation unknown = evaluate({.device = Unknown{"nobody looked"}});
  EXPECT_EQ(unknown.state, State::not_applicable);
  EXPECT_EQ(unknown.reason, "device: nobody looked");
}

TEST(EvaluateRule, EvaluatesDefinitionsWhereTheyAreUsed) {
  const Rule rule = sample_rule("when: h2d_pageable_host_ratio >= limit.share and",
                                "let:\n"
                                "  extra: h2d_pageable_host_ratio - h2d_device_ratio\n"
                                "  twice: let.extra + let.extra\n"
                                "when: let.twice >= limit.share and");
  FactTable facts;
  facts.set("device", {.result = Value::of("cuda")});
  facts.set("h2d_pageable_host_ratio", {.result = Value::of(0.06)});
  facts.set("h2d_device_ratio", {.result = Value::of(0.02)});
  EXPECT_EQ(evaluate_rule(rule, facts).text.substr(0, 28), "let.twice 0.08 >= 3% ✓ and");
  facts.set("h2d_device_ratio", {.result = Unknown{"no calls"}});
  EXPECT_EQ(evaluate_rule(rule, facts).reason, "h2d_device_ratio: no calls");
}

TEST(EvaluateRule, EvaluatesDefinitionsOfDefinitionsOnceEach) {
  std::string chain = "let:\n  a0: h2d_device_ratio\n";
  for (int i = 1; i < 60; ++i) {  // 2^59 sums, were each evaluated where it is used
    const std::string before = "let.a" + std::to_string(i - 1);
    chain += "  a" + std::to_string(i) + ": (" + before + " + " + before + ") / 2\n";
  }
  const Rule rule = sample_rule("when: h2d_pageable_host_ratio >= limit.share and",
                                chain + "when: let.a59 >= limit.share and");
  FactTable facts;
  facts.set("device", {.result = Value::of("cuda")});
  facts.set("h2d_pageable_host_ratio", {.result = Value::of(0.06)});
  facts.set("h2d_device_ratio", {.result = Value::of(0.04)});
  EXPECT_EQ(evaluate_rule(rule, facts).state, State::fired);
}

TEST(EvaluateRule, SaysWhenARunCouldTell) {
  const Rule rule = read_rule(
      short_rule("sample")
          .replace(
              short_rule("sample").find("[data_wait_ratio]"), 17, "[data_wait_ratio, num_workers]")
          .replace(short_rule("sample").find("data_wait_ratio > limit.wait") + 13,
                   28,
                   "num_workers == 0 or data_wait_ratio > limit.wait"),
      "rules/sample.yaml");
  FactTable facts;
  facts.set("data_wait_ratio", {.result = Value::of(0.01)});
  const Evaluation evaluation = evaluate_rule(rule, facts);
  EXPECT_EQ(evaluation.state, State::not_applicable);
  EXPECT_EQ(evaluation.reason, "num_workers: a trace does not say how it was set");
  EXPECT_TRUE(evaluation.needs_a_run);
}

}  // namespace
}  // namespace tune::rule
