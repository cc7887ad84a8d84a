#include "in_process_worker.h"

#include "../measure/campaign/test_folder.h"
#include "measure/runner/run_trial.h"
#include "trial/knob_catalog.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tune::fake {
namespace {

class InProcessWorkerTest : public testing::Test {
 protected:
  InProcessWorkerTest() {
    spec_.workload.model = "mlp";
    spec_.knobs = trial::default_settings();
    spec_.measure.slices = 3;
    options_.worker = FAKE_WORKER;
  }
  void TearDown() override { unsetenv("TUNE_FAKE_SCRIPT"); }

  runner::TrialOutcome run_process(const std::string& script, const std::string& id) {
    setenv("TUNE_FAKE_SCRIPT", script.c_str(), 1);
    spec_.id = id;
    spec_.folder = (folder_.path() / "trials" / id).string();
    std::filesystem::create_directories(spec_.folder);
    return run_trial(spec_, options_);
  }

  campaign::TestFolder folder_;
  trial::TrialSpec spec_;
  runner::RunOptions options_;
};

TEST_F(InProcessWorkerTest, RepliesWhatTheProcessesOfACampaignReplyOneAfterTheOther) {
  const std::string script = R"({"seed": 5, "environment": "bimodal on shared"})";
  InProcessWorker worker(read_script(script));
  for (const char* id : {"r1-baseline", "r1-c01", "r1-c02"}) {
    const runner::TrialOutcome process = run_process(script, id);
    ASSERT_EQ(process.kind, runner::OutcomeKind::completed) << process.reason;
    const runner::TrialOutcome twin = worker.run(spec_);
    ASSERT_TRUE(twin.reply);
    EXPECT_EQ(process.reply->step_ns, twin.reply->step_ns) << id;
    EXPECT_EQ(process.reply->step_phases, twin.reply->step_phases) << id;
    EXPECT_EQ(trial::throughput(*process.reply), trial::throughput(*twin.reply)) << id;
  }
}

TEST_F(InProcessWorkerTest, AnotherProcessLaterSeesTheMachineWhereTheFirstLeftIt) {
  Script script;
  script.environment = {.name = "drift alone", .drift_sd = 0.03, .drift_rho = 0.97};
  InProcessWorker worker(script);
  spec_.id = "r1-c01";
  const auto first = worker.run(spec_);
  const auto second = worker.run(spec_);  // the same seed of its own: only the time differs
  EXPECT_NE(first.reply->step_ns, second.reply->step_ns);
  const double jump = std::log(static_cast<double>(second.reply->slices.front().wall_ns) /
                               static_cast<double>(first.reply->slices.back().wall_ns));
  EXPECT_LT(std::abs(jump), 0.03) << "a few seconds of drift lie between";
}

TEST_F(InProcessWorkerTest, FailsAsTheProcessDoes) {
  for (const char* script : {R"({"behaviours": [{"do": "refuse", "message": "no"}]})",
                             R"({"behaviours": [{"do": "out-of-memory", "message": "no"}]})",
                             R"({"memory": {"limit_bytes": 1}})",
                             R"({"behaviours": [{"do": "crash"}]})"}) {
    const runner::TrialOutcome process = run_process(script, "r1-c01");
    InProcessWorker worker(read_script(script));
    const runner::TrialOutcome twin = worker.run(spec_);
    EXPECT_EQ(process.kind, twin.kind) << script;
    EXPECT_EQ(process.reason, twin.reason) << script;
    EXPECT_FALSE(twin.reply) << script;
  }
}

TEST_F(InProcessWorkerTest, IsCutAtItsTimeout) {
  InProcessWorker worker(read_script("{}"));
  spec_.id = "r1-c01";
  spec_.timeout_ns = 1'000'000'000;
  const std::int64_t before_ns = worker.now_ns();
  EXPECT_EQ(worker.run(spec_).kind, runner::OutcomeKind::timed_out);
  EXPECT_EQ(worker.now_ns() - before_ns, spec_.timeout_ns);
}

}  // namespace
}  // namespace tune::fake
