#include "measure/gate/judge.h"

#include "gate_fixture.h"

namespace tune::gate {
namespace {

using stats::GateVerdict;

// Pairs whose candidate takes `worse` times as long, with noise; slices scatter by tail_sd.
class JudgeTest : public testing::Test {
 protected:
  Pair pair_of(double worse, double candidate_slice_sd = 0.003) {
    Pair pair;
    pair.baseline_first = pairs_.size() % 2 == 0;
    pair.baseline.values["throughput"] = 100 * std::exp(normal(0.003));
    pair.candidate.values["throughput"] = 100 * std::exp(normal(0.003)) / worse;
    for (int i = 0; i < 5; ++i) {
      pair.baseline.slice_log_times.push_back(normal(0.003));
      pair.candidate.slice_log_times.push_back(normal(candidate_slice_sd));
    }
    pair.baseline.slices.clean = pair.candidate.slices.clean = 5;
    return pair;
  }

  std::vector<Row> judge(std::size_t index = 0, double confounded_log = 0) {
    const LookInput input{.policy = policy_,
                          .looks = looks_,
                          .index = index,
                          .pairs = pairs_,
                          .earlier = earlier_,
                          .confounded_log = confounded_log};
    return judge_look(input);
  }

  double normal(double sd) { return std::normal_distribution<double>(0, sd)(random_); }

  Policy policy_{.budgets = {{"throughput", 0.03}}};
  stats::LookSchedule looks_ = stats::make_looks(stats::kGateAlpha, 1);
  std::vector<Pair> pairs_;
  std::vector<Row> earlier_;
  std::mt19937_64 random_{11};
};

TEST_F(JudgeTest, TheBudgetDecidesBetweenPassAndRegressed) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1.01));
  }
  EXPECT_EQ(judge()[0].verdict, GateVerdict::pass);
  policy_.budgets[0].ratio = 0.0101;
  pairs_.clear();
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1.06));
  }
  EXPECT_EQ(judge()[0].verdict, GateVerdict::regressed);
}

TEST_F(JudgeTest, APassThatRestsOnAGrownTailIsNone) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1, 0.04));
  }
  const Row row = judge()[0];
  EXPECT_EQ(row.verdict, GateVerdict::inconclusive);
  EXPECT_EQ(row.why.substr(0, 5), "tail:");
}

TEST_F(JudgeTest, WhatWasDecidedStays) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1));
  }
  earlier_ = judge();
  ASSERT_EQ(earlier_[0].verdict, GateVerdict::pass);
  for (int i = 0; i < 6; ++i) {
    pairs_.push_back(pair_of(1.5));
  }
  EXPECT_EQ(judge(1)[0].verdict, GateVerdict::pass);
  EXPECT_EQ(judge(1)[0].pairs, 10);
}

TEST_F(JudgeTest, AStoredBaselineWidensTheInterval) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1.015));
  }
  EXPECT_EQ(judge()[0].verdict, GateVerdict::pass);
  EXPECT_EQ(judge(0, 0.02)[0].verdict, GateVerdict::inconclusive);
}

TEST_F(JudgeTest, APositionEffectIsNamedWhereARowStaysOpen) {
  for (int i = 0; i < 24; ++i) {
    pairs_.push_back(pair_of(1.02));
    auto& second = pairs_.back().baseline_first ? pairs_.back().candidate : pairs_.back().baseline;
    second.values["throughput"] /= 1.05;
  }
  GateResult result;
  result.policy = policy_;
  result.looks = looks_;
  result.pairs = pairs_;
  result.rows = judge(2);
  ASSERT_EQ(result.rows[0].verdict, GateVerdict::inconclusive);
  apply_controls(result);
  EXPECT_EQ(result.rows[0].why.substr(0, 15), "position effect");
  ASSERT_TRUE(result.position);
  EXPECT_NEAR(std::expm1(result.position->log_ratio), 0.05, 0.01);
}

TEST_F(JudgeTest, ProcessesThatKeepChangingAreNoYardstick) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1.2));
    if (i < 6) {
      pairs_.back().candidate.steadiness.vetoes = {{"no-steady-state", "it moved by 3.0 %"}};
    }
  }
  GateResult result;
  result.policy = policy_;
  result.looks = looks_;
  result.pairs = pairs_;
  result.rows = judge();
  apply_controls(result);
  EXPECT_EQ(result.rows[0].verdict, GateVerdict::inconclusive);
  EXPECT_EQ(result.rows[0].why,
            "no-steady-state: 6 of 10 processes of the candidate were not steady (6 "
            "no-steady-state), the first: pair 1: it moved by 3.0 %");
}

TEST_F(JudgeTest, AVetoOfFewProcessesTakesNothingBack) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1));
    if (i < 5) {
      pairs_.back().candidate.steadiness.vetoes = {{"clock", "the CPU clock fell by 3.0 %"}};
    }
  }
  GateResult result;
  result.policy = policy_;
  result.looks = looks_;
  result.pairs = pairs_;
  result.rows = judge();
  apply_controls(result);
  EXPECT_EQ(result.rows[0].verdict, GateVerdict::pass);
  EXPECT_EQ(result.candidate_steadiness.not_steady, 5);
  EXPECT_EQ(result.baseline_steadiness.not_steady, 0);
}

TEST_F(JudgeTest, OnlyGrowingMemoryMakesThePeakOfMemoryUncertain) {
  policy_.budgets = {{"peak_memory_bytes", 0.05}};
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1));
    for (ProcessSummary* side : {&pairs_.back().baseline, &pairs_.back().candidate}) {
      side->values["peak_memory_bytes"] = 1e9 + 1e5 * normal(1);
    }
  }
  for (const std::string veto : {"clock", "memory-growth"}) {
    for (Pair& pair : pairs_) {
      pair.baseline.steadiness.vetoes = {{veto, "by 3.0 %"}};
    }
    GateResult result;
    result.policy = policy_;
    result.looks = looks_;
    result.pairs = pairs_;
    result.rows = judge();
    apply_controls(result);
    EXPECT_EQ(result.rows[0].verdict,
              veto == "clock" ? GateVerdict::pass : GateVerdict::inconclusive);
  }
}

TEST_F(JudgeTest, TheSmallestDetectableEffectComesFromItsOwnPairs) {
  for (int i = 0; i < 10; ++i) {
    pairs_.push_back(pair_of(1));
  }
  const double quiet = judge()[0].mde.value_or(0);
  EXPECT_GT(quiet, 0.01);
  EXPECT_LT(quiet, 0.03);
}

}  // namespace
}  // namespace tune::gate
