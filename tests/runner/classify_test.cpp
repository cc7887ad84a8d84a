#include "runner/classify.h"

#include "base/machine_error.h"
#include "runner_fixture.h"
#include "trial/machine_line.h"

#include <csignal>

namespace tune::runner {
namespace {

class ClassifyTest : public RunnerTest {
 protected:
  TrialOutcome ended_by(int signal, bool stop_asked, const std::string& timed_out = "") const {
    Evidence seen;
    seen.end.signal = signal;
    seen.stop_asked = stop_asked;
    seen.timed_out = timed_out;
    TrialOutcome outcome;
    classify(spec_, seen, outcome);
    return outcome;
  }
};

TEST_F(ClassifyTest, ASignalToTheWholeGroupIsAnInterruption) {
  for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
    const TrialOutcome outcome = ended_by(signal, true);
    EXPECT_EQ(outcome.kind, OutcomeKind::interrupted) << signal;
    EXPECT_EQ(outcome.reason, "stopped before its first phase");
  }
}

TEST_F(ClassifyTest, TheSameSignalWithoutAStopIsTheWorkersOwnEnd) {
  EXPECT_EQ(ended_by(SIGTERM, false).kind, OutcomeKind::crashed);
  EXPECT_EQ(ended_by(SIGINT, false).reason, "SIGINT before its first phase");
  EXPECT_EQ(ended_by(SIGKILL, false).kind, OutcomeKind::out_of_memory);
}

TEST_F(ClassifyTest, ASignalThatNobodySendsHimselfMayHaveBeenMeantForANeighbour) {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    EXPECT_TRUE(ended_by(signal, false).was_killed) << signal;
  }
  EXPECT_FALSE(ended_by(SIGSEGV, false).was_killed);
  EXPECT_FALSE(ended_by(SIGABRT, false).was_killed);
}

TEST_F(ClassifyTest, AnExitCodeAloneDoesNotBlameTheMachine) {
  Evidence seen;
  seen.end.exit_code = trial::kMachineExitCode;
  TrialOutcome outcome;
  classify(spec_, seen, outcome);
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed);
  outcome.stderr_tail = std::string(trial::kMachineLine) + "x: cannot be written\n";
  EXPECT_THROW(classify(spec_, seen, outcome), MachineError);
}

TEST_F(ClassifyTest, AStopDoesNotExcuseACrashOrADeadline) {
  EXPECT_EQ(ended_by(SIGSEGV, true).kind, OutcomeKind::crashed);
  EXPECT_EQ(ended_by(SIGTERM, true, "no reply after 2s").kind, OutcomeKind::timed_out);
}

TEST_F(ClassifyTest, ATimeoutQuotesWhatTheLoaderWaitsFor) {
  const auto reason_with = [&](const std::string& tail) {
    Evidence seen;
    seen.timed_out = "no reply after 60s in phase measure";
    TrialOutcome outcome;
    outcome.stderr_tail = tail;
    classify(spec_, seen, outcome);
    return outcome.reason;
  };
  EXPECT_EQ(reason_with("step 1\nno batch for 10s; the loader is reading /a.jpg (10s)\n"
                        "no batch for 20s; the loader is reading /a.jpg (20s)\nthe end\n"),
            "no reply after 60s in phase measure; "
            "no batch for 20s; the loader is reading /a.jpg (20s)");
  EXPECT_EQ(reason_with("no batch for 10s; x"),
            "no reply after 60s in phase measure; no batch for 10s; x");
  EXPECT_EQ(reason_with("somebody says no batch for you\n"),
            "no reply after 60s in phase measure");
}

}  // namespace
}  // namespace tune::runner
