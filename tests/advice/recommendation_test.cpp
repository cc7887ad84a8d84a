#include "advice/recommendation.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {

namespace {

using expression::Unknown;
using expression::Value;

constexpr const char* kCode = "DataLoader(batch_size={batch_size}, num_workers={num_workers}, {})";

rule::FactTable facts_with(double batch_size) {
  rule::FactTable facts;
  facts.set("batch_size", {.result = Value::of(batch_size)});
  facts.set("num_workers", {.result = Value::of(0.0)});
  return facts;
}

TEST(FilledCode, HasWhatIsProposedElseWhatIsSet) {
  const std::vector<ProposedKnob> knobs = {
      {.name = "num_workers", .from = "0", .to = trial::KnobValue(std::int64_t{3})}};
  EXPECT_EQ(filled_code(kCode, knobs, facts_with(65'536)),
            "DataLoader(batch_size=65536, num_workers=3, {})");
  EXPECT_EQ(filled_code(kCode, {}, facts_with(64)), "DataLoader(batch_size=64, num_workers=0, {})");
}

TEST(FilledCode, LeavesOpenWhatIsNotKnown) {
  const std::vector<ProposedKnob> knobs = {{.name = "num_workers", .reason = "no cores"}};
  EXPECT_EQ(filled_code(kCode, knobs, {}), "DataLoader(batch_size=..., num_workers=..., {})");
}

TEST(FilledCode, IsTheTextWhereNothingIsToBeFilled) {
  EXPECT_EQ(filled_code("", {}, {}), "");
  EXPECT_EQ(filled_code("x.to(device)", {}, {}), "x.to(device)");
}

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

using Verdict = MeasuredGain::Verdict;

class Ranking : public testing::Test {
 protected:
  Recommendation& add(const std::string& id, double middle) {
    Recommendation recommendation{.rule = catalog_.find(id)};
    recommendation.predicted.lower = middle;
    recommendation.predicted.upper = middle;
    list_.push_back(std::move(recommendation));
    return list_.back();
  }

  std::string order(const HitRates& hit_rates = {}) {
    rank(list_, hit_rates);
    std::string ids;
    for (const Recommendation& recommendation : list_) {
      ids += recommendation.rule->id;
    }
    return ids;
  }

  rule::Catalog catalog_ = catalog_of({{"a", ""}, {"b", ""}, {"c", ""}, {"d", ""}});
  std::vector<Recommendation> list_;
};

TEST_F(Ranking, GoesByTheMiddleTimesTheHitRate) {
  add("a", 0.1);
  add("b", 0.3);
  add("c", 0.2);
  EXPECT_EQ(order(), "bca");
  EXPECT_EQ(list_[0].id, "R1");
  EXPECT_EQ(list_[2].id, "R3");
  EXPECT_EQ(order({{"b", 0.1}, {"a", 0.9}}), "cab");
}

TEST_F(Ranking, PutsConfirmedFirstAndRefutedLast) {
  add("a", 0.9).measured = MeasuredGain{.lower = -0.1, .verdict = Verdict::refuted};
  add("b", 0.3);
  add("c", 0.1).measured = MeasuredGain{.lower = 0.01, .verdict = Verdict::confirmed};
  add("d", 0.1).measured = MeasuredGain{.lower = 0.2, .verdict = Verdict::ambiguous};
  EXPECT_EQ(order(), "cdba");
}

TEST_F(Ranking, PutsWhatTheSearchSawSlowerBehindWhatIsPredicted) {
  add("a", 0.9).seen = -0.84;
  add("b", 0.1);
  add("c", 0.2).seen = 0.05;  // flattered, as all of a search are: the prediction counts
  add("d", 0.1).measured = MeasuredGain{.lower = -0.9, .verdict = Verdict::refuted};
  EXPECT_EQ(order(), "cbad");
}

TEST_F(Ranking, PutsWhatBreaksALimitLast) {
  add("a", 0.9).breaks_a_limit = true;
  add("b", 0.1);
  EXPECT_EQ(order(), "ba");
}

TEST_F(Ranking, PutsWhatBrokeAConstraintBehindWhatWasRefuted) {
  Recommendation& broken = add("a", 0.9);
  broken.measured = MeasuredGain{.lower = 0.5, .verdict = Verdict::confirmed};
  note_broken_constraints(broken, {"peak_memory_ratio 0.93 is above 0.9"});
  note_broken_constraints(broken, {"peak_memory_ratio 0.93 is above 0.9"});
  EXPECT_EQ(broken.risks,
            std::vector<std::string>{
                "It breaks a constraint of the scenario: peak_memory_ratio 0.93 is above 0.9."})
      << "once";
  Recommendation& kept = add("b", 0.1);
  kept.measured = MeasuredGain{.lower = -0.1, .verdict = Verdict::refuted};
  note_broken_constraints(kept, {});
  EXPECT_FALSE(kept.breaks_a_limit);
  EXPECT_EQ(order(), "ba");
}

TEST_F(Ranking, OfTiesTakesFewerKnobsThenTheId) {
  add("b", 0.1);
  add("a", 0.1).knobs = {{.name = "num_workers", .from = "", .to = {}, .reason = ""}};
  add("c", 0.1);
  EXPECT_EQ(order(), "bca");
}

TEST_F(Ranking, KeepsOneValueOfAKnob) {
  const auto workers = [](std::int64_t count) {
    return std::vector<ProposedKnob>{
        {.name = "num_workers", .from = "0", .to = trial::KnobValue(count), .reason = ""}};
  };
  add("a", 0.3).knobs = workers(8);
  add("b", 0.2).knobs = workers(2);
  add("c", 0.1).knobs = workers(2);
  list_[1].predicted.model = rule::Gain::Model::differential;
  order();
  settle_conflicts(list_);
  EXPECT_TRUE(list_[0].knobs.empty());
  EXPECT_EQ(list_[0].rejected, std::vector<std::string>{"num_workers 8: b proposes 2"});
  EXPECT_EQ(list_[1].knobs.size(), 1U);
  EXPECT_EQ(list_[2].knobs.size(), 1U);  // the same value is no conflict
}

}  // namespace

}  // namespace tune::advice
