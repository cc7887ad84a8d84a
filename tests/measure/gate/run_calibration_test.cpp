#include "measure/gate/run_calibration.h"

#include "gate_fixture.h"

namespace tune::gate {
namespace {

class EqualSidesTest : public GateTest {
 protected:
  EqualSidesTest() {
    result_.baseline.words = "main at 0123456789ab";
    result_.candidate.words = "HEAD at ba9876543210";
    result_.baseline.commit = "0123456789ab";
    result_.candidate.commit = "ba9876543210";
  }

  GateResult& conclude(const Rule& rule, bool takes_sample) {
    result_.looks = look_schedule(result_.policy);
    GateLedger ledger(folder_, result_);
    SilentWatcher watcher;
    const GateLoop loop{.ledger = ledger,
                        .watcher = watcher,
                        .run_trial = [&](const auto& spec) { return run_one(spec, rule); },
                        .now_ns = [&] { return now_ns_; },
                        .utc = [] { return std::string("2026-11-21T12:00:00Z"); },
                        .stop = &stop_};
    conclude_equal_sides(result_, loop, takes_sample);
    return result_;
  }
};

TEST_F(EqualSidesTest, PassWithoutAProcess) {
  const GateResult& result = conclude([](const auto&, Process&) {}, false);
  EXPECT_EQ(result.end, End::nothing_changed);
  EXPECT_EQ(result.verdict, stats::GateVerdict::pass);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_TRUE(ids_.empty());
  EXPECT_EQ(result.why,
            "nothing changed: worker, LibTorch, scenario, model, plug-in and data of HEAD at "
            "ba9876543210 are those of main at 0123456789ab");
  EXPECT_NE(ledger_lines().back().find("\"event\":\"end\""), std::string::npos);
}

TEST_F(EqualSidesTest, OneCommitIsToldToBeOne) {
  result_.baseline.commit = result_.candidate.commit;
  EXPECT_NE(conclude([](const auto&, Process&) {}, false).why.find("is the baseline itself"),
            std::string::npos);
}

TEST_F(EqualSidesTest, GiveOnePairForTheCalibration) {
  const GateResult& result = conclude([](const auto&, Process&) {}, true);
  EXPECT_EQ(result.end, End::nothing_changed);
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_TRUE(result.pairs[0].baseline.values.contains("throughput"));
  EXPECT_TRUE(result.pairs[0].candidate.values.contains("throughput"));
  EXPECT_EQ(ids_.size(), 2U);
  EXPECT_TRUE(result.rows.empty());
}

TEST_F(EqualSidesTest, PassAlsoWhenTheSampleCannotBeTaken) {
  const GateResult& failed = conclude(
      [](const auto&, Process& process) { process.failure = runner::OutcomeKind::crashed; }, true);
  EXPECT_EQ(exit_code(failed), ExitCode::fine);
  EXPECT_TRUE(failed.pairs.empty());
  ASSERT_EQ(failed.run.warnings.size(), 1U);
  EXPECT_NE(failed.run.warnings[0].find("no A/A sample"), std::string::npos);
  EXPECT_NE(failed.run.warnings[0].find("SIGSEGV"), std::string::npos);
}

TEST_F(EqualSidesTest, ADisturbedPairIsNoSample) {
  const GateResult& result =
      conclude([](const auto&, Process& process) { process.tainted_slices = 4; }, true);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_TRUE(result.pairs.empty());
  EXPECT_EQ(result.run.warnings.size(), 1U);
}

TEST_F(EqualSidesTest, AnInterruptionIsTold) {
  stop_ = 1;
  const GateResult& result = conclude([](const auto&, Process&) {}, true);
  EXPECT_EQ(result.end, End::interrupted);
}

TEST(BaselineFirst, TurnsRoundInEveryBlockOfTwo) {
  int first_in_block = 0;
  constexpr int kBlocks = 1000;
  for (std::int64_t block = 0; block < kBlocks; ++block) {
    EXPECT_NE(baseline_first(5, 2 * block + 1), baseline_first(5, 2 * block + 2));
    first_in_block += baseline_first(5, 2 * block + 1) ? 1 : 0;
  }
  EXPECT_NEAR(first_in_block, kBlocks / 2, 64);  // four standard deviations of a fair coin
}

}  // namespace
}  // namespace tune::gate
