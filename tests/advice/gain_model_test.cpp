#include "advice/gain_model.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::advice {

namespace {

TEST(AmdahlGain, IsWhatGoesOfTheStep) {
  EXPECT_NEAR(*amdahl_gain(0.04, 0.5), 0.0204, 1e-4);
  EXPECT_NEAR(*amdahl_gain(0.04, 1), 0.0417, 1e-4);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0.5, 1), 1);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0, 1), 0);
}

TEST(AmdahlGain, ClampsSharesAndRefusesTheWholeStep) {
  EXPECT_DOUBLE_EQ(*amdahl_gain(-0.2, 1), 0);
  EXPECT_DOUBLE_EQ(*amdahl_gain(0.5, 7), 1);
  EXPECT_FALSE(amdahl_gain(1, 1).has_value());
  EXPECT_FALSE(amdahl_gain(3, 1).has_value());
  EXPECT_FALSE(amdahl_gain(std::nan(""), 1).has_value());
}

TEST(DifferentialRates, SplitTheStall) {
  const DifferentialRates rates{.synthetic = 1000, .cached = 800, .cold = 200};
  EXPECT_DOUBLE_EQ(rates.now(), 200);
  EXPECT_DOUBLE_EQ(rates.prep_stall_ratio(), 0.2);
  EXPECT_DOUBLE_EQ(rates.fetch_stall_ratio(), 0.75);
  EXPECT_DOUBLE_EQ((DifferentialRates{.synthetic = 1, .cached = 2, .cold = 3}.fetch_stall_ratio()),
                   0);
}

// Derived by hand: a model at 2000 images/s beside which an image costs 0.85 ms.
TEST(LoaderModel, GainsWithWorkersBesideAGpu) {
  const LoaderModel model{.sample_cpu_s = 0.85e-3, .model_rate = 2000, .usable_cores = 2};
  EXPECT_NEAR(model.rate(0), 1 / (0.5e-3 + 0.85e-3), 1e-9);
  EXPECT_NEAR(model.rate(1) / model.rate(0) - 1, 0.59, 0.005);
  EXPECT_NEAR(model.rate(2) / model.rate(0) - 1, 1.70, 0.005);
  EXPECT_EQ(model.needed_workers(), 2);
}

// The same images where the model takes 3.85 ms of the same two cores.
TEST(LoaderModel, GainsLittleWhereTheModelWantsTheCores) {
  const LoaderModel model{
      .sample_cpu_s = 0.85e-3, .model_rate = 1 / 3.85e-3, .usable_cores = 2, .trains_on_cpu = true};
  EXPECT_NEAR(model.rate(2) / model.rate(0) - 1, 0.10, 0.002);
}

TEST(LoaderModel, NeedsNoMoreWorkersThanFeedTheModel) {
  const LoaderModel fast{.sample_cpu_s = 1e-4, .model_rate = 1000, .usable_cores = 16};
  EXPECT_EQ(fast.needed_workers(), 1);
  const LoaderModel slow{.sample_cpu_s = 1e-2, .model_rate = 1000, .usable_cores = 16};
  EXPECT_EQ(slow.needed_workers(), 12);  // 1.15 x 1000 x 0.01 = 11.5
  const LoaderModel few{.sample_cpu_s = 1e-2, .model_rate = 1000, .usable_cores = 4};
  EXPECT_EQ(few.needed_workers(), 4);
  const LoaderModel reading{
      .sample_cpu_s = 1e-3, .sample_wait_s = 1e-3, .model_rate = 400, .usable_cores = 4};
  EXPECT_EQ(reading.needed_workers(), 1);  // 500 a second
}

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
  const PredictedGain gain =
      gain_of("{model: measured, when: data_wait_ratio > 30%, low: 0, high: 0.1}", waiting(0.2));
  EXPECT_FALSE(gain.is_known());
  EXPECT_EQ(gain.reason, "not where data_wait_ratio 0.2 > 30% ✗");
}

TEST(PredictedGain, SaysWhyItsConditionIsNotKnown) {
  rule::FactTable facts;
  facts.set("data_wait_ratio", {.result = Unknown{"no loader"}});
  const PredictedGain gain =
      gain_of("{model: measured, when: data_wait_ratio > 30%, low: 0, high: 0.1}", facts);
  EXPECT_EQ(gain.reason, "data_wait_ratio: no loader");
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
