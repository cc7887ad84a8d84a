#include "runner_fixture.h"
#include "trial/worker_lines.h"

#include <algorithm>

namespace tune::runner {
namespace {

class ProfiledWindowTest : public RunnerTest {
 protected:
  void SetUp() override {
    RunnerTest::SetUp();
    spec_.profile.emplace();
  }
  static bool began(const TrialOutcome& outcome, std::string_view phase) {
    return std::any_of(outcome.arrivals.begin(), outcome.arrivals.end(), [&](const auto& arrival) {
      return arrival.phase == phase;
    });
  }
  bool has_trace() const {
    return std::filesystem::exists(std::filesystem::path(spec_.folder) / "trace.json.gz");
  }
};

TEST_F(ProfiledWindowTest, AddsItsOutcomeToTheReply) {
  const TrialOutcome outcome =
      run(R"({"profile": {"dilation": 1.5, "lost_events": 3, "cap_reached": true}})");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_TRUE(began(outcome, "profiled"));
  ASSERT_TRUE(outcome.reply->profile);
  const trial::ProfileOutcome& profile = *outcome.reply->profile;
  EXPECT_EQ(profile.reason, "");
  EXPECT_EQ(profile.file, "trace.json.gz");
  EXPECT_TRUE(has_trace());
  EXPECT_EQ(profile.step_ns.size(), 5U);
  EXPECT_EQ(profile.lost_events, 3);
  EXPECT_TRUE(profile.cap_reached);
  EXPECT_NEAR(trial::profiler_dilation(*outcome.reply).value_or(0), 1.5, 0.01);
}

TEST_F(ProfiledWindowTest, IsLeftOutWhereNobodyAsksForIt) {
  spec_.profile.reset();
  const TrialOutcome outcome = run("{}");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_FALSE(began(outcome, "profiled"));
  EXPECT_FALSE(outcome.reply->profile);
  EXPECT_FALSE(has_trace());
}

TEST_F(ProfiledWindowTest, AWorkerThatDiesInItHasMeasured) {
  for (const char* const death : {R"("do": "crash")", R"("do": "kill")", R"("do": "exit")"}) {
    const TrialOutcome outcome = run_behaviour(std::string(R"("phase": "profiled", )") + death);
    ASSERT_EQ(outcome.kind, OutcomeKind::completed) << death << ": " << outcome.reason;
    EXPECT_EQ(outcome.phase, "profiled");
    EXPECT_FALSE(outcome.reply->slices.empty());
    ASSERT_TRUE(outcome.reply->profile);
    EXPECT_EQ(outcome.reply->profile->reason, trial::kUnfinishedProfile);
    EXPECT_EQ(outcome.reply->profile->file, "");
  }
}

TEST_F(ProfiledWindowTest, AWorkerThatHangsInItHasMeasured) {
  options_.phase_limits_ns["profiled"] = 50'000'000;
  const TrialOutcome outcome = run_behaviour(R"("phase": "profiled", "do": "hang")");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_EQ(outcome.reply->profile->reason, trial::kUnfinishedProfile);
}

TEST_F(ProfiledWindowTest, SaysWhyThereIsNoTrace) {
  const TrialOutcome outcome = run(R"({"profile": {"reason": "the disk is full"}})");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_EQ(outcome.reply->profile->reason, "the disk is full");
  EXPECT_FALSE(trial::profiler_dilation(*outcome.reply));
  EXPECT_FALSE(has_trace());
}

TEST_F(ProfiledWindowTest, ATrialThatFailedHasNone) {
  spec_.knobs["batch_size"] = std::int64_t{64};
  const TrialOutcome outcome = run(R"({"memory": {"limit_bytes": 1}})");
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory);
  EXPECT_FALSE(began(outcome, "profiled"));
}

}  // namespace
}  // namespace tune::runner
