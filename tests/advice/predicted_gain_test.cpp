#include "advice/predicted_gain.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

namespace tune::advice {
namespace {

using expression::Unknown;
using expression::Value;

// Of a rule whose `gain:` is this text.
PredictedGain gain_of(const std::string& text, const rule::FactTable& facts) {
  const rule::RuleFile file =
      changed_rule("sample", "{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}", text);
  return predict_gain(rule::read_rule(file.text, file.name), facts);
}

TEST(PredictedGain, IsARangeThatNamesItsModel) {
  const PredictedGain gain =
      gain_of("{model: amdahl, share: data_wait_ratio, removable: [1, 0.5]}", waiting(0.2));
  EXPECT_NEAR(*gain.lower, 0.1111, 1e-4);
  EXPECT_DOUBLE_EQ(*gain.upper, 0.25);
  EXPECT_NEAR(gain.middle(), 0.1806, 1e-4);
  EXPECT_EQ(gain.model, rule::Gain::Model::amdahl);
  EXPECT_EQ(gain.formula, "1/(1 - 0.2 x 0.5..1) - 1, share = data_wait_ratio 0.2");
}

TEST(PredictedGain, OfOtherModelsIsWhatTheyCompute) {
  const PredictedGain gain =
      gain_of("{model: pipeline, low: data_wait_ratio / 2, high: data_wait_ratio}", waiting(0.2));
  EXPECT_DOUBLE_EQ(*gain.lower, 0.1);
  EXPECT_DOUBLE_EQ(*gain.upper, 0.2);
  EXPECT_EQ(gain.formula, "data_wait_ratio 0.2 / 2 .. data_wait_ratio 0.2");
}

TEST(PredictedGain, TakesTheNextModelWhenATermIsUnknown) {
  const std::string text =
      "{model: differential, low: 0, high: 1 / (data_wait_ratio - data_wait_ratio),\n"
      "  else: {model: amdahl, share: data_wait_ratio, removable: [1, 1]}}";
  const PredictedGain gain = gain_of(text, waiting(0.5));
  EXPECT_EQ(gain.model, rule::Gain::Model::amdahl);
  EXPECT_DOUBLE_EQ(*gain.upper, 1);
}

TEST(PredictedGain, TakesTheNextModelWhereItsConditionDoesNotHold) {
  const std::string text =
      "{model: amdahl, when: data_wait_ratio > 30%, share: data_wait_ratio, removable: [1, 1],\n"
      "  else: {model: amdahl, share: data_wait_ratio, removable: [0, 0.5]}}";
  EXPECT_DOUBLE_EQ(*gain_of(text, waiting(0.5)).upper, 1);
  EXPECT_NEAR(*gain_of(text, waiting(0.2)).upper, 0.1111, 1e-4);
}

TEST(PredictedGain, IsUnknownWhereItsConditionDoesNotHoldAndNothingElseIsSaid) {
  const PredictedGain gain = gain_of(
      "{model: measured, when: data_wait_ratio > 30%, low: 0, high: 0.1}", waiting(0.2));
  EXPECT_FALSE(gain.is_known());
  EXPECT_EQ(gain.reason, "not where data_wait_ratio 0.2 > 30% ✗");
}

TEST(PredictedGain, SaysWhyItIsNotKnown) {
  rule::FactTable facts;
  facts.set("data_wait_ratio", {.result = Unknown{"no loader"}});
  const PredictedGain unknown =
      gain_of("{model: amdahl, share: data_wait_ratio, removable: [0, 1]}", facts);
  EXPECT_FALSE(unknown.is_known());
  EXPECT_EQ(unknown.reason, "data_wait_ratio: no loader");
  EXPECT_EQ(gain_of("{model: measured}", waiting(0.2)).reason, "only pairs of runs can tell");
  EXPECT_EQ(gain_of("{model: none}", waiting(0.2)).reason, "a fact without a gain");
  EXPECT_EQ(
      gain_of("{model: amdahl, share: data_wait_ratio, removable: [0, 1]}", waiting(1)).reason,
      "the share is the whole step, which cannot all be gained");
}

}  // namespace
}  // namespace tune::advice
