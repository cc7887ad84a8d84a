#include "measure/gate/anchor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tune::gate {
namespace {

using stats::GateVerdict;

Row row_of(const std::string& metric, double worst, GateVerdict verdict = GateVerdict::pass) {
  Row row;
  row.metric = metric;
  row.budget_ratio = 0.05;
  row.evidence.upper = std::log1p(worst);
  row.verdict = verdict;
  return row;
}

GateResult gate_of(GateVerdict verdict) {
  GateResult result;
  result.verdict = verdict;
  result.why = "its own";
  return result;
}

Anchor anchor_of(GateVerdict verdict, const std::vector<Row>& rows = {}) {
  GateResult second = gate_of(verdict);
  second.baseline.words = "v1.0";
  second.rows = rows;
  return weigh_anchor(second);
}

TEST(Anchor, MayMoveWhereNothingIsWorseThanHalfOfItsBudget) {
  const Anchor near = anchor_of(GateVerdict::pass, {row_of("a", -0.01), row_of("b", 0.024)});
  EXPECT_TRUE(may_move(near));
  EXPECT_EQ(holding_row(near), nullptr);
  const Anchor far =
      anchor_of(GateVerdict::pass, {row_of("a", 0.026), row_of("b", 0.03), row_of("c", 0.01)});
  EXPECT_FALSE(may_move(far));
  EXPECT_EQ(holding_row(far)->metric, "b");
}

TEST(Anchor, StaysWhereARowIsOpenOrNothingWasJudged) {
  EXPECT_FALSE(
      may_move(anchor_of(GateVerdict::inconclusive, {row_of("a", 0, GateVerdict::inconclusive)})));
  EXPECT_FALSE(may_move(
      anchor_of(GateVerdict::pass, {row_of("a", std::numeric_limits<double>::infinity())})));
  EXPECT_FALSE(may_move(anchor_of(GateVerdict::pass))) << "no row";
  Anchor failed = anchor_of(GateVerdict::inconclusive, {row_of("a", 0)});
  failed.end = End::baseline_failed;
  EXPECT_FALSE(may_move(failed));
  EXPECT_FALSE(may_move(skipped_anchor("v1.0", "the gate itself judged nothing")));
}

TEST(Anchor, TheWorseVerdictIsThatOfBoth) {
  struct Case {
    GateVerdict own, anchor, both;
    ExitCode code;
  };
  for (const auto& [own, anchor, both, code] :
       {Case{GateVerdict::pass,
             GateVerdict::regressed,
             GateVerdict::regressed,
             ExitCode::negative_verdict},
        Case{GateVerdict::improved,
             GateVerdict::inconclusive,
             GateVerdict::inconclusive,
             ExitCode::inconclusive},
        Case{GateVerdict::inconclusive,
             GateVerdict::regressed,
             GateVerdict::regressed,
             ExitCode::negative_verdict},
        Case{GateVerdict::regressed,
             GateVerdict::pass,
             GateVerdict::regressed,
             ExitCode::negative_verdict},
        Case{GateVerdict::improved, GateVerdict::pass, GateVerdict::improved, ExitCode::fine}}) {
    GateResult result = gate_of(own);
    add_anchor(result, anchor_of(anchor));
    EXPECT_EQ(result.verdict, both);
    EXPECT_EQ(exit_code(result), code);
    EXPECT_EQ(result.anchor->decides, own != both);
    EXPECT_EQ(result.why, own == both ? "its own" : "against the anchor, v1.0: its own");
  }
}

TEST(Anchor, WhatCannotBeComparedGoesBeforeAVerdict) {
  GateResult result = gate_of(GateVerdict::regressed);
  Anchor anchor = anchor_of(GateVerdict::inconclusive);
  anchor.end = End::baseline_failed;
  anchor.code = ExitCode::incomparable;
  add_anchor(result, anchor);
  EXPECT_EQ(exit_code(result), ExitCode::incomparable);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
}

TEST(Anchor, WhoseTimeWasOverMakesAGateThatPassedPartial) {
  GateResult result = gate_of(GateVerdict::pass);
  GateResult second = gate_of(GateVerdict::inconclusive);
  second.end = End::time_cap;
  add_anchor(result, weigh_anchor(second));
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(exit_code(result), ExitCode::partial) << "the worse of 0 and 6";
}

TEST(Anchor, OneThatWasSkippedChangesNothing) {
  GateResult result = gate_of(GateVerdict::pass);
  add_anchor(result, skipped_anchor("v1.0", "the gate itself judged nothing"));
  EXPECT_EQ(result.verdict, GateVerdict::pass);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

}  // namespace
}  // namespace tune::gate
