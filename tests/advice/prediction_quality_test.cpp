#include "advice/prediction_quality.h"

#include "sample_findings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune::advice {
namespace {

using Verdict = MeasuredGain::Verdict;

JudgedPrediction judged(const std::string& rule, double lower, double upper, double measured) {
  return {.rule = rule,
          .model = "amdahl",
          .lower = lower,
          .upper = upper,
          .measured = {.value = measured,
                       .lower = measured - 0.01,
                       .upper = measured + 0.01,
                       .pairs = 6,
                       .verdict = measured > 0.02 ? Verdict::confirmed : Verdict::refuted}};
}

// Errors of the middles: +0.05, -0.10, +0.10, 0, +0.30.
std::vector<JudgedPrediction> five() {
  return {judged("a", 0.10, 0.20, 0.10),
          judged("a", 0.05, 0.15, 0.20),
          judged("b", 0.20, 0.40, 0.20),
          judged("b", 0.40, 0.60, 0.50),
          judged("b", 0.20, 0.42, 0.01)};
}

TEST(PredictionQuality, CountsAndErrorsAreThoseOfTheList) {
  const PredictionQuality quality = prediction_quality(five());
  EXPECT_EQ(quality.n, 5);
  EXPECT_EQ(quality.confirmed, 4);
  EXPECT_EQ(quality.refuted, 1);
  EXPECT_EQ(quality.ambiguous, 0);
  EXPECT_EQ(quality.in_range, 3);  // a bound belongs to the range
  EXPECT_DOUBLE_EQ(quality.hit_rate(), 0.8);
  EXPECT_DOUBLE_EQ(quality.coverage(), 0.6);
  EXPECT_NEAR(*quality.bias, (0.05 - 0.10 + 0.10 + 0 + 0.30) / 5, 1e-12);
  EXPECT_NEAR(*quality.mean_error, (0.05 + 0.10 + 0.10 + 0 + 0.30) / 5, 1e-12);
  EXPECT_NEAR(*quality.median_error, 0.10, 1e-12);
  // Ranks of the middles .15 .10 .30 .50 .31: 2 1 3 5 4; of the measured .10 .20 .20 .50 .01:
  // 2 3.5 3.5 5 1. Sum of products of the deviations 2, of squares 10 and 9.5.
  EXPECT_NEAR(*quality.rho, 2 / std::sqrt(95.0), 1e-12);
}

TEST(PredictionQuality, OfEachRuleItsOwn) {
  const auto rules = quality_by_rule(five());
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].rule, "a");
  EXPECT_EQ(rules[0].quality.n, 2);
  EXPECT_NEAR(*rules[0].quality.bias, -0.025, 1e-12);
  EXPECT_EQ(rules[1].rule, "b");
  EXPECT_EQ(rules[1].quality.n, 3);
  EXPECT_EQ(rules[1].quality.refuted, 1);
}

TEST(PredictionQuality, OfNothingIsNotZero) {
  const PredictionQuality quality = prediction_quality({});
  EXPECT_EQ(quality.n, 0);
  EXPECT_EQ(quality.bias, std::nullopt);
  EXPECT_EQ(quality.mean_error, std::nullopt);
  EXPECT_EQ(quality.median_error, std::nullopt);
  EXPECT_EQ(quality.rho, std::nullopt);
  EXPECT_TRUE(quality_by_rule({}).empty());
}

TEST(PredictionQuality, GivesHitRatesThatBeginAtOneHalf) {
  const HitRates rates = hit_rates(five());
  EXPECT_DOUBLE_EQ(rates.at("a"), 3.0 / 4);
  EXPECT_DOUBLE_EQ(rates.at("b"), 3.0 / 5);
  EXPECT_TRUE(hit_rates({}).empty());
}

class JudgedPredictions : public testing::Test {
 protected:
  // The one recommendation of a rule with this gain, as if pairs had measured it.
  std::vector<JudgedPrediction> of_gain(const std::string& gain, bool is_measured = true) {
    const rule::Catalog catalog = rule::read_catalog({changed_rule(
        "wait", "{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}", gain)});
    Diagnosis diagnosis = diagnose(catalog, waiting(0.2));
    if (is_measured) {
      diagnosis.recommendations.at(0).measured =
          MeasuredGain{.value = 0.2, .lower = 0.18, .upper = 0.22, .pairs = 6};
    }
    return judged_predictions(diagnosis, "runs/a");
  }
};

TEST_F(JudgedPredictions, AreThoseThatWerePredictedAndMeasured) {
  const auto judged = of_gain("{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].rule, "wait");
  EXPECT_EQ(judged[0].run, "runs/a");
  EXPECT_EQ(judged[0].recommendation, "R1");
  EXPECT_EQ(judged[0].model, "amdahl");
  EXPECT_NEAR(judged[0].lower, 1 / 0.9 - 1, 1e-12);
  EXPECT_NEAR(judged[0].upper, 0.25, 1e-12);
  EXPECT_EQ(judged[0].measured.value, 0.2);
  EXPECT_TRUE(
      of_gain("{model: amdahl, share: data_wait_ratio, removable: [0.5, 1]}", false).empty());
}

TEST_F(JudgedPredictions, AreNotWhatTheSearchHasSeenAlready) {
  EXPECT_TRUE(of_gain("{model: measured, low: 0.2, high: 0.2}").empty());
  EXPECT_TRUE(of_gain("{model: measured}").empty());
  EXPECT_EQ(of_gain("{model: pipeline, low: 0.1, high: 0.2}").size(), 1U);
}

}  // namespace
}  // namespace tune::advice
