#include "measure/gate/work.h"

#include "gate_fixture.h"

namespace tune::gate {
namespace {

using stats::GateVerdict;

bool is_candidate(const trial::TrialSpec& spec) {
  return spec.cell == "candidate";
}

// A machine that other work never leaves alone.
class WorkTest : public GateTest {
 protected:
  GateResult& run_beside_others(double worse, std::int64_t tainted = 5) {
    result_.policy.budgets = {{"throughput", 0.05}, {"cpu_time", 0.05}};
    return run([this, worse, tainted](const auto& spec, Process& process) {
      process.tainted_slices = tainted;
      process.rate *= std::exp(normal(0.3));
      process.sentinel_factor = is_candidate(spec) ? 1.5 : 1;  // a shift of the environment
      process.step_cpu_s = 0.01 * std::exp(normal(0.003)) * (is_candidate(spec) ? worse : 1);
    });
  }
};

TEST_F(WorkTest, IsJudgedOfPairsThatOtherWorkDisturbed) {
  const GateResult& result = run_beside_others(1);
  EXPECT_EQ(result.end, End::judged);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_EQ(result.rows[1].verdict, GateVerdict::pass) << result.rows[1].why;
  EXPECT_EQ(result.rows[1].pairs, static_cast<std::int64_t>(result.lost_pairs.size()));
  EXPECT_EQ(result.rows[0].verdict, GateVerdict::inconclusive);
  EXPECT_NE(result.rows[0].why.find("other work left 0 of "), std::string::npos)
      << result.rows[0].why;
  EXPECT_EQ(exit_code(result), ExitCode::inconclusive) << "the clock has no answer";
}

TEST_F(WorkTest, MoreOfItIsARegression) {
  const GateResult& result = run_beside_others(1.1);
  EXPECT_EQ(result.rows[1].verdict, GateVerdict::regressed) << result.rows[1].why;
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
}

TEST_F(WorkTest, AShiftOfTheEnvironmentTakesNothingBackButTime) {
  const GateResult& result = run_beside_others(1, 0);
  EXPECT_TRUE(result.rows[0].why.starts_with("ENV_SHIFT")) << result.rows[0].why;
  EXPECT_EQ(result.rows[1].verdict, GateVerdict::pass) << result.rows[1].why;
}

TEST_F(WorkTest, AKernelThatDoesNotTellItEndsTheGate) {
  result_.policy.budgets = {{"cpu_time", 0.05}};
  const GateResult& result = run([](const auto&, Process&) {});
  EXPECT_EQ(result.end, End::row_missing);
}

TEST_F(WorkTest, InstructionsAreJudgedThoughOtherWorkDisturbsEveryPair) {
  result_.policy.budgets = {{"instructions", 0.05}};
  const GateResult& result = run([this](const auto& spec, Process& process) {
    process.tainted_slices = 5;
    process.rate *= std::exp(normal(0.3));
    process.step_instructions =
        std::llround(4e9 * std::exp(normal(0.001)) * (is_candidate(spec) ? 1.1 : 1));
  });
  EXPECT_EQ(result.rows.at(0).verdict, GateVerdict::regressed) << result.rows[0].why;
  EXPECT_NEAR(result.rows[0].candidate.value.value_or(0), 4.4e9, 0.05e9);
}

class CounterMissing : public WorkTest, public testing::WithParamInterface<std::int64_t> {};

TEST_P(CounterMissing, EndsTheGateAfterOnePairAndNamesAnotherMetric) {
  result_.policy.budgets = {{"instructions", 0.05}};
  const GateResult& result =
      run([](const auto&, Process& process) { process.tainted_slices = GetParam(); });
  EXPECT_EQ(result.end, End::row_missing);
  EXPECT_EQ(result.pairs.size() + result.lost_pairs.size(), 1U);
  EXPECT_NE(result.end_reason.find("Gate cpu_time?"), std::string::npos) << result.end_reason;
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutOtherWork, CounterMissing, testing::Values(0, 5));

}  // namespace
}  // namespace tune::gate
