// Gates that end before every row is judged: what was decided by then decides.

#include "gate_fixture.h"

namespace tune::gate {
namespace {

using stats::GateVerdict;

bool is_candidate(const trial::TrialSpec& spec) {
  return spec.cell == "candidate";
}

class EarlyEnd : public GateTest {};

// Counts need no quiet machine.
TEST_F(EarlyEnd, ACountThatRegressedDecidesWhereTimesWereDisturbed) {
  result_.policy.inconclusive = Inconclusive::pass;
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.tainted_slices = 5;
    process.operators = is_candidate(spec) ? 62 : 61;
  });
  EXPECT_EQ(result.end, End::disturbed);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_EQ(result.why, "operators: one step does more than before");
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
  result_.policy.mode = Mode::warn;
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

// Nor do they need a steady speed.
TEST_F(EarlyEnd, ACountThatRegressedDecidesWhereNoProcessGotSteady) {
  for (Side* side : {&result_.baseline, &result_.candidate}) {
    side->spec.measure.find_warmup = true;
  }
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.operators = is_candidate(spec) ? 62 : 61;
    if (spec.id.starts_with("counted-")) {
      EXPECT_FALSE(spec.measure.find_warmup);
      EXPECT_EQ(spec.measure.slices, 1);
    }
  });
  EXPECT_EQ(result.end, End::not_steady);
  EXPECT_EQ(result.why, "operators: one step does more than before");
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
}

// Losses need no quiet machine either.
TEST_F(EarlyEnd, AnotherLossFromTheSameSettingFailsWhereTimesWereDisturbed) {
  result_.policy.inconclusive = Inconclusive::pass;
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.tainted_slices = 5;
    process.loss = is_candidate(spec) ? 3.0 : 2.3;
  });
  EXPECT_EQ(result.end, End::candidate_failed);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_TRUE(result.why.starts_with("the losses differ at step 1")) << result.why;
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
}

TEST_F(EarlyEnd, ACountThatRegressedDecidesWhereTheTimeWasOver) {
  result_.policy.max_time_ns = (1'000 + 4 * 10) * 1'000'000'000LL;  // the clock begins at 1,000 s
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.operators = is_candidate(spec) ? 62 : 61;
  });
  EXPECT_EQ(result.end, End::time_cap);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict) << "1 goes before 6";
  result_.policy.mode = Mode::warn;
  EXPECT_EQ(exit_code(result), ExitCode::partial);
}

TEST_F(EarlyEnd, ACountThatRegressedDecidesBesideABaselineThatFailedLater) {
  const GateResult& result = run([&](const auto& spec, Process& process) {
    process.operators = is_candidate(spec) ? 62 : 61;
    if (spec.id.starts_with("p03-baseline")) {
      process.failure = runner::OutcomeKind::crashed;
    }
  });
  EXPECT_EQ(result.end, End::baseline_failed);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_EQ(exit_code(result), ExitCode::incomparable) << "4 goes before 1";
}

TEST_F(EarlyEnd, AGatedCountThatNobodyCountedIsAnErrorOnABusyMachineToo) {
  result_.policy.structural = {{"operators", 0}};
  result_.policy.inconclusive = Inconclusive::pass;
  const GateResult& result = run([](const auto&, Process& process) {
    process.tainted_slices = 5;
    process.has_structure = false;
  });
  EXPECT_EQ(result.end, End::row_missing);
  EXPECT_EQ(exit_code(result), ExitCode::incomparable);
}

// The machine is left alone up to the first look, which finds the candidate slower and leaves its
// memory open.
class DisturbedLater : public GateTest {
 protected:
  GateResult& run_disturbed(bool baseline_too) {
    result_.policy.budgets = {{"throughput"}, {"peak_memory_bytes"}};
    return run([&, baseline_too](const auto& spec, Process& process) {
      process.rate *= std::exp(normal(0.003)) * (is_candidate(spec) ? 0.8 : 1);
      process.memory_bytes = std::llround(1e9 * std::exp(normal(0.1)));
      const bool is_later =
          std::stoi(spec.id.substr(1, 2)) > look_schedule(result_.policy).pairs[0];
      process.tainted_slices = is_later && (baseline_too || is_candidate(spec)) ? 5 : 0;
    });
  }
};

TEST_F(DisturbedLater, WhatALookHadDecidedStands) {
  const GateResult& result = run_disturbed(true);
  EXPECT_EQ(result.end, End::disturbed);
  EXPECT_EQ(result.verdict, GateVerdict::regressed);
  EXPECT_TRUE(result.why.starts_with("throughput: worse by more than the budget")) << result.why;
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
}

TEST_F(DisturbedLater, WhatALookHadDecidedIsTakenBackWhereOneSideLostMore) {
  const GateResult& result = run_disturbed(false);
  EXPECT_EQ(result.end, End::disturbed);
  EXPECT_EQ(result.verdict, GateVerdict::inconclusive);
  EXPECT_TRUE(result.rows[0].why.starts_with("taint-imbalance: ")) << result.rows[0].why;
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
}

}  // namespace
}  // namespace tune::gate
