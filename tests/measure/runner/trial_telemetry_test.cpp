#include "base/file.h"
#include "machine/telemetry/telemetry_json.h"
#include "runner_fixture.h"

namespace tune::runner {
namespace {

namespace fs = std::filesystem;

class TrialTelemetryTest : public RunnerTest {
 protected:
  TrialTelemetryTest() : recorder_(without_gpu()) {}
  void SetUp() override {
    RunnerTest::SetUp();
    options_.telemetry = &recorder_;
  }
  static telemetry::RecorderOptions without_gpu() {
    telemetry::RecorderOptions options;
    options.nvml_library = "libno-such-nvml.so.1";
    return options;
  }
  fs::path file() const { return fs::path(spec_.folder) / telemetry::kTelemetryFile; }
  telemetry::TrialTelemetry read() const {
    return telemetry::parse_trial_telemetry(read_file(file()), "telemetry.json");
  }

  telemetry::Recorder recorder_;
};

TEST_F(TrialTelemetryTest, LiesBesideTheReply) {
  const TrialOutcome outcome = run_behaviour(R"("do": "slow", "phase": "measure", "ns": 30000000)");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  const telemetry::TrialTelemetry seen = read();
  EXPECT_EQ(seen.start_ns, outcome.start_ns);
  ASSERT_TRUE(seen.window.has_value());
  EXPECT_EQ(seen.window->begin_ns, outcome.arrivals.at(3).worker_ns);
  EXPECT_EQ(seen.window->end_ns, outcome.arrivals.at(4).worker_ns);
  ASSERT_NE(seen.find("worker_cores"), nullptr);
  EXPECT_GE(seen.samples, 2);
}

TEST_F(TrialTelemetryTest, OfATrialThatCrashedHasNoWindow) {
  EXPECT_EQ(run_behaviour(R"("do": "crash", "phase": "warmup")").kind, OutcomeKind::crashed);
  const telemetry::TrialTelemetry seen = read();
  EXPECT_FALSE(seen.window.has_value());
  EXPECT_EQ(seen.find("worker_cores")->reason, "the trial did not reach its measured window");
}

TEST_F(TrialTelemetryTest, OfAnEarlierTryIsRemoved) {
  (void)run("");
  EXPECT_TRUE(fs::exists(file()));
  options_.telemetry = nullptr;
  EXPECT_EQ(run("").kind, OutcomeKind::completed);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(TrialTelemetryTest, ThatCannotBeWrittenFailsNoTrial) {
  options_.on_phase = [&](const PhaseArrival&) {
    std::error_code ignored;
    fs::create_directories(file() / "in_its_place", ignored);
  };
  EXPECT_EQ(run("").kind, OutcomeKind::completed);
}

}  // namespace
}  // namespace tune::runner
