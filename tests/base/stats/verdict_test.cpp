#include "base/stats/verdict.h"

#include "known_samples.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

namespace tune::stats {

namespace {

std::vector<double> times(std::vector<double> samples, double factor) {
  for (double& sample : samples) {
    sample *= factor;
  }
  return samples;
}

Row percent_row(const std::vector<double>& samples, SliceShape shape = SliceShape::alike) {
  return {.differences = times(samples, 0.01),
          .limits = {.min_effect_ratio = 0.01, .budget_ratio = 0.03},
          .shape = shape};
}

Row faster(const Row& row) {
  return {.differences = times(row.differences, -1), .limits = row.limits, .shape = row.shape};
}

GateRow gate(const Row& row, std::size_t look = 0) {
  return gate_verdicts({row}, {.schedule = make_looks(kGateAlpha, 1), .index = look}).front();
}

AdviceRow advice(const Row& row) {
  return advice_verdicts({row}, {.schedule = make_looks(kAdviceAlpha, 1)}).front();
}

}  // namespace

TEST(GateVerdict, OfReferenceSamplesReadAsPercent) {
  const GateRow a = gate(percent_row(known::kSampleA));
  EXPECT_EQ(a.verdict, GateVerdict::pass);
  EXPECT_NEAR(a.evidence.upper, .0073, 1e-12);
  EXPECT_EQ(a.evidence.doubt, Doubt::none);
  const GateRow c = gate(percent_row(known::kSampleC));
  EXPECT_EQ(c.verdict, GateVerdict::regressed);
  EXPECT_NEAR(c.evidence.lower, .0438, 1e-12);
  EXPECT_NEAR(c.evidence.p, 1.0 / 1024, 1e-12);
  EXPECT_NEAR(c.evidence.confidence, .99, 1e-12);
}

TEST(GateVerdict, OfAFasterCandidateIsImprovedAndNeverRegressed) {
  EXPECT_EQ(gate(faster(percent_row(known::kSampleC))).verdict, GateVerdict::improved);
  EXPECT_EQ(gate(faster(percent_row(known::kSampleA))).verdict, GateVerdict::pass);
}

TEST(GateVerdict, OfASlowdownBelowTheBudgetIsNoRegressionHoweverSure) {
  Row row = percent_row(known::kSampleC);
  row.limits.budget_ratio = 0.06;
  const GateRow answer = gate(row);
  EXPECT_GT(answer.evidence.lower, std::log1p(0.01));
  EXPECT_EQ(answer.verdict, GateVerdict::inconclusive);
  row.limits.budget_ratio = 0.07;
  EXPECT_EQ(gate(row).verdict, GateVerdict::pass);
}

TEST(GateVerdict, OfAWideIntervalIsUndecided) {
  const GateRow answer = gate(percent_row(times(known::kSampleD, 3)), 1);
  EXPECT_EQ(answer.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(answer.evidence.doubt, Doubt::undecided);
}

TEST(GateVerdict, OfTooFewPairsIsInconclusiveAndSaysWhy) {
  const GateRow answer = gate(percent_row({5, 5, 5}));
  EXPECT_EQ(answer.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(answer.evidence.doubt, Doubt::too_few_pairs);
  EXPECT_EQ(answer.evidence.warning, "too few samples: 3 of at least 10");
  EXPECT_EQ(answer.evidence.confidence, 0);
}

TEST(GateVerdict, ThatRestsOnAHeavyTailIsWithdrawnButARegressionIsNot) {
  const GateRow a = gate(percent_row(known::kSampleA, SliceShape::heavier_tail));
  EXPECT_EQ(a.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(a.evidence.doubt, Doubt::tail);
  EXPECT_NE(a.evidence.warning, "");
  const Row c = percent_row(known::kSampleC, SliceShape::heavier_tail);
  EXPECT_EQ(gate(c).verdict, GateVerdict::regressed);
  EXPECT_EQ(gate(faster(c)).evidence.doubt, Doubt::tail);
}

TEST(GateVerdict, OfManyRowsNeedsStrongerEvidenceEach) {
  const Row slow = percent_row(known::kSampleC);  // p = 1/1024 is above (.005 / 3) / 2
  const Row same = percent_row(known::kSampleA);
  const Look look{.schedule = make_looks(kGateAlpha, 2)};
  const auto two = gate_verdicts({slow, same}, look);
  EXPECT_EQ(two[0].verdict, GateVerdict::inconclusive);
  EXPECT_EQ(two[1].verdict, GateVerdict::pass) << "a pass needs no correction";
  const auto last =
      gate_verdicts({slow}, {.schedule = make_looks(kGateAlpha, 2), .rows_called = 1});
  EXPECT_EQ(last[0].verdict, GateVerdict::regressed);
}

TEST(GateVerdict, IsTheSameInEveryLocale) {
  const GateRow before = gate(percent_row(known::kSampleC));
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"}) {
    std::setlocale(LC_ALL, name);  // where it is installed
    const GateRow after = gate(percent_row(known::kSampleC));
    EXPECT_EQ(after.verdict, before.verdict);
    EXPECT_EQ(after.evidence.lower, before.evidence.lower);
    EXPECT_EQ(after.evidence.p, before.evidence.p);
  }
}

TEST(AdviceVerdict, IsConfirmedOnlyAboveTheSmallestEffect) {
  EXPECT_EQ(advice(faster(percent_row(known::kSampleC))).verdict, AdviceVerdict::confirmed);
  EXPECT_EQ(advice(faster(percent_row(known::kSampleD))).verdict, AdviceVerdict::ambiguous);
}

TEST(AdviceVerdict, IsRefutedWhereNoWorthwhileGainIsLeft) {
  EXPECT_EQ(advice(percent_row(known::kSampleC)).verdict, AdviceVerdict::refuted);
  EXPECT_EQ(advice(faster(percent_row(known::kSampleA))).verdict, AdviceVerdict::refuted);
}

TEST(AdviceVerdict, OfAGainWithAHeavyTailIsAmbiguous) {
  const AdviceRow answer = advice(faster(percent_row(known::kSampleC, SliceShape::heavier_tail)));
  EXPECT_EQ(answer.verdict, AdviceVerdict::ambiguous);
  EXPECT_EQ(answer.evidence.doubt, Doubt::tail);
  EXPECT_EQ(advice(percent_row(known::kSampleC, SliceShape::heavier_tail)).verdict,
            AdviceVerdict::refuted);
}

TEST(Verdicts, HaveWords) {
  EXPECT_STREQ(to_string(GateVerdict::inconclusive), "inconclusive");
  EXPECT_STREQ(to_string(AdviceVerdict::refuted), "refuted");
  EXPECT_STREQ(to_string(Doubt::too_few_pairs), "too-few-pairs");
}

}  // namespace tune::stats
