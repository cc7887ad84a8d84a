#include "advice/recommend.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using expression::Value;

class Recommend : public testing::Test {
 protected:
  // What a rule with this `change:` proposes where these facts hold too.
  std::optional<Recommendation> recommended(const std::string& change,
                                            const rule::FactTable& facts) {
    rule::RuleFile file = changed_rule("sample", "{text: load faster}", change);
    file.text.replace(
        file.text.find("needs: [data_wait_ratio]"), 24, "needs: [data_wait_ratio, usable_cores]");
    catalog_ = rule::read_catalog({file});
    const Finding finding = find(catalog_.rules[0], facts);
    return recommend(finding, facts, {finding});
  }

  rule::Catalog catalog_;
};

TEST_F(Recommend, ComputesWholeNumbersWithinTheRangeOfTheKnob) {
  const std::string change =
      "{knobs: [{name: num_workers, to: {expression: usable_cores * 1.15}}]}";
  rule::FactTable facts = waiting(0.2);
  facts.set("usable_cores", {.result = Value::of(2.0)});
  facts.set("num_workers", {.result = Value::of(1.0)});
  auto recommendation = recommended(change, facts);
  ASSERT_EQ(recommendation->knobs.size(), 1U);
  EXPECT_EQ(recommendation->knobs[0].from, "1");
  EXPECT_EQ(*recommendation->knobs[0].to, trial::KnobValue(std::int64_t{3}));
  facts.set("usable_cores", {.result = Value::of(100000.0)});
  EXPECT_EQ(*recommended(change, facts)->knobs[0].to, trial::KnobValue(std::int64_t{256}));
}

TEST_F(Recommend, ProposesAKnobOnlyWhereItsConditionHolds) {
  const std::string change =
      "{knobs: [{name: amp, to: bf16, when: usable_cores >= 2},\n"
      "    {name: amp, to: fp16, when: usable_cores < 2}], text: load faster}";
  rule::FactTable facts = waiting(0.2);
  EXPECT_TRUE(recommended(change, facts)->knobs.empty());  // not known
  facts.set("usable_cores", {.result = Value::of(4.0)});
  ASSERT_EQ(recommended(change, facts)->knobs.size(), 1U);
  EXPECT_EQ(*recommended(change, facts)->knobs[0].to, trial::KnobValue("bf16"));
  facts.set("usable_cores", {.result = Value::of(1.0)});
  ASSERT_EQ(recommended(change, facts)->knobs.size(), 1U);
  EXPECT_EQ(*recommended(change, facts)->knobs[0].to, trial::KnobValue("fp16"));
}

TEST_F(Recommend, SaysWhatAValueDependsOn) {
  const auto recommendation = recommended(
      "{knobs: [{name: num_workers, to: {expression: usable_cores - 1}}]}", waiting(0.2));
  ASSERT_EQ(recommendation->knobs.size(), 1U);
  EXPECT_FALSE(recommendation->knobs[0].to.has_value());
  EXPECT_EQ(recommendation->knobs[0].from, "");
  EXPECT_EQ(recommendation->knobs[0].reason,
            "usable_cores: a trace does not describe the machine it comes from");
}

TEST_F(Recommend, LeavesOutKnobsThatAreSetAlready) {
  const std::string knobs = "knobs: [{name: pin_memory, to: true}, {name: in_order, to: false}]";
  rule::FactTable facts = waiting(0.2);
  facts.set("pin_memory", {.result = Value::of(true)});
  const auto recommendation = recommended("{" + knobs + "}", facts);
  ASSERT_EQ(recommendation->knobs.size(), 1U);
  EXPECT_EQ(recommendation->knobs[0].name, "in_order");
  facts.set("in_order", {.result = Value::of(false)});
  EXPECT_FALSE(recommended("{" + knobs + "}", facts).has_value());
  EXPECT_TRUE(recommended("{" + knobs + ", text: look at the disk}", facts).has_value());
}

TEST_F(Recommend, ProposesNothingWhereNothingFired) {
  EXPECT_FALSE(recommended("{text: load faster}", waiting(0.01)).has_value());
}

}  // namespace
}  // namespace tune::advice
