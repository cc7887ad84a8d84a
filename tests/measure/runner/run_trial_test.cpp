#include "measure/runner/run_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "machine/processes.h"
#include "runner_fixture.h"

#include <csignal>
#include <thread>

namespace tune::runner {
namespace {

namespace fs = std::filesystem;

TEST_F(RunnerTest, ATrialThatEndsWellIsCompletedWithItsReply) {
  const TrialOutcome outcome = run(R"({"samples_per_s": 250})");
  ASSERT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  ASSERT_TRUE(outcome.reply.has_value());
  EXPECT_EQ(outcome.reply->id, "r1-c01");
  EXPECT_NEAR(*trial::throughput(*outcome.reply), 250, 0.01);
  EXPECT_EQ(outcome.phase, "done");
  EXPECT_EQ(outcome.reason, "");
}

TEST_F(RunnerTest, PhasesArriveInOrderByOurOwnClock) {
  std::vector<std::string> seen;
  options_.on_phase = [&](const PhaseArrival& arrival) { seen.push_back(arrival.phase); };
  const TrialOutcome outcome = run("");
  const std::vector<std::string> all = {
      "setup", "first-batch", "warmup", "measure", "write", "done"};
  EXPECT_EQ(seen, all);
  ASSERT_EQ(outcome.arrivals.size(), all.size());
  std::int64_t last_ns = outcome.start_ns;
  for (const PhaseArrival& arrival : outcome.arrivals) {
    EXPECT_GE(arrival.worker_ns, outcome.start_ns);
    EXPECT_GE(arrival.seen_ns, arrival.worker_ns);
    EXPECT_GE(arrival.seen_ns, last_ns);
    last_ns = arrival.seen_ns;
  }
  EXPECT_GE(outcome.end_ns, last_ns);
}

TEST_F(RunnerTest, ACrashIsNamedBySignalAndPhase) {
  const TrialOutcome outcome = run_behaviour(R"("do": "crash", "phase": "warmup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed);
  EXPECT_EQ(outcome.reason, "SIGSEGV in phase warmup");
  EXPECT_EQ(outcome.phase, "warmup");
  EXPECT_FALSE(outcome.reply.has_value());
  EXPECT_EQ(run_behaviour(R"("do": "crash", "signal": "SIGABRT", "phase": "setup")").reason,
            "SIGABRT in phase setup");
}

TEST_F(RunnerTest, ATimeThatCannotBeIsGarbled) {
  const TrialOutcome outcome = run_behaviour(R"("do": "garbled", "how": "phase-time")");
  EXPECT_EQ(outcome.kind, OutcomeKind::garbled);
  EXPECT_EQ(outcome.reason, "a phase line has an impossible time: warmup 9223372036854775807");
  for (const PhaseArrival& arrival : outcome.arrivals) {
    EXPECT_LE(arrival.worker_ns, arrival.seen_ns);
  }
}

TEST_F(RunnerTest, ABareExitCodeIsACrash) {
  const TrialOutcome outcome = run_behaviour(R"("do": "exit", "code": 3, "phase": "setup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed);
  EXPECT_EQ(outcome.reason, "exit code 3 in phase setup");
}

TEST_F(RunnerTest, AnEndBeforeTheFirstPhaseIsACrashToo) {
  const TrialOutcome outcome = run("{nonsense");
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed);
  EXPECT_EQ(outcome.reason, "exit code 2 before its first phase");
  EXPECT_NE(outcome.stderr_tail.find("fake-worker:"), std::string::npos);
}

TEST_F(RunnerTest, AHangIsKilledAtTheDeadlineAndItsPhaseNamed) {
  spec_.timeout_ns = 200'000'000;
  options_.phase_limits_ns = {{"warmup", 1'000'000'000}};
  const TrialOutcome outcome = run_behaviour(R"("do": "hang", "phase": "warmup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
  EXPECT_EQ(outcome.reason, "no reply after 200ms in phase warmup");
  EXPECT_GE(outcome.end_ns - outcome.start_ns, 200'000'000);
}

TEST_F(RunnerTest, AWorkerThatIgnoresSigtermIsKilledAfterTheGrace) {
  spec_.timeout_ns = 600'000'000;  // it ignores the signal once it runs, which may take a while
  const TrialOutcome outcome = run_behaviour(R"("do": "hang", "ignores_term": true)");
  EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
  EXPECT_GE(outcome.end_ns - outcome.start_ns, 700'000'000);
}

TEST_F(RunnerTest, APhaseMayHaveADeadlineOfItsOwn) {
  options_.phase_limits_ns = {{"write", 100'000'000}};
  const TrialOutcome outcome = run_behaviour(R"("do": "hang", "phase": "write")");
  EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
  EXPECT_EQ(outcome.reason, "phase write lasted more than 100ms");
}

TEST_F(RunnerTest, EveryPhaseHasADeadlineAndItsNameIsSaid) {
  options_.grace_ns = 20'000'000;
  for (const std::string phase : {"setup", "first-batch", "warmup", "measure", "write"}) {
    options_.phase_limits_ns = {{phase, 30'000'000}};
    const TrialOutcome outcome = run_behaviour(R"("do": "hang", "phase": ")" + phase + "\"");
    EXPECT_EQ(outcome.kind, OutcomeKind::timed_out) << phase;
    EXPECT_EQ(outcome.reason, "phase " + phase + " lasted more than 30ms");
    EXPECT_EQ(outcome.phase, phase);
  }
}

TEST_F(RunnerTest, AWorkerThatHangsBeforeItsFirstPhaseIsFoundEarly) {
  options_.phase_limits_ns = {{std::string(kStartPhase), 50'000'000}};
  const TrialOutcome outcome = run_behaviour(R"("do": "hang", "phase": "start")");
  EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
  EXPECT_EQ(outcome.reason, "it began no phase within 50ms");
  EXPECT_LT(outcome.end_ns - outcome.start_ns, spec_.timeout_ns / 2);
}

TEST_F(RunnerTest, ASlowPhaseWithinTheDeadlineIsFine) {
  options_.phase_limits_ns = {{"setup", 100'000'000}};
  const TrialOutcome outcome = run_behaviour(R"("do": "slow", "ns": 150000000, "phase": "warmup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_GE(outcome.end_ns - outcome.start_ns, 150'000'000);
}

TEST_F(RunnerTest, OutOfMemoryIsKnownByItsSigns) {
  TrialOutcome outcome = run_behaviour(R"("do": "out-of-memory", "message": "wanted 9 GiB")");
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory);
  EXPECT_EQ(outcome.reason, "wanted 9 GiB");
  outcome = run_behaviour(R"("do": "bad-alloc", "phase": "warmup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory);
  EXPECT_EQ(outcome.reason, "memory could not be had in phase warmup");
  outcome = run_behaviour(R"("do": "kill", "phase": "warmup")");
  EXPECT_EQ(outcome.kind, OutcomeKind::out_of_memory);
  EXPECT_EQ(outcome.reason, "out-of-memory (probable): killed by SIGKILL in phase warmup");
}

TEST_F(RunnerTest, AFullDiskIsNoOutcome) {
  try {
    run_behaviour(R"("do": "no-room", "phase": "write")");
    FAIL();
  } catch (const MachineError& error) {
    EXPECT_EQ(
        error.what(),
        spec_.folder +
            ": the worker could not continue (reply.json: cannot be written (No space left on "
            "device))");
  }
}

TEST_F(RunnerTest, TheMemoryWallComesWithTheBatchSize) {
  const char* const script =
      R"({"memory": {"base_bytes": 100, "bytes_per_sample": 10, "limit_bytes": 500}})";
  spec_.knobs["batch_size"] = std::int64_t{40};
  EXPECT_EQ(run(script).kind, OutcomeKind::completed);
  spec_.knobs["batch_size"] = std::int64_t{41};
  EXPECT_EQ(run(script).kind, OutcomeKind::out_of_memory);
}

TEST_F(RunnerTest, ARefusalTellsItsReason) {
  const TrialOutcome outcome = run_behaviour(R"("do": "refuse", "message": "no fp16\u001b[31m")");
  EXPECT_EQ(outcome.kind, OutcomeKind::refused);
  EXPECT_EQ(outcome.reason, "no fp16?[31m");  // nobody paints our terminal
  EXPECT_FALSE(outcome.reply.has_value());
}

TEST_F(RunnerTest, APluginThatThrowsHasCrashedInItsOwnWords) {
  const TrialOutcome outcome =
      run_behaviour(R"("do": "throw", "message": "libmymodel.so threw in step(): boom")");
  EXPECT_EQ(outcome.kind, OutcomeKind::crashed);
  EXPECT_EQ(outcome.reason, "libmymodel.so threw in step(): boom");
  EXPECT_FALSE(outcome.reply.has_value());
}

TEST_F(RunnerTest, WhatDiesAfterItsReplyIsSafeIsCompleted) {
  EXPECT_EQ(run_behaviour(R"("do": "die-after-done", "signal": "SIGABRT")").kind,
            OutcomeKind::completed);
  options_.phase_limits_ns = {{"done", 100'000'000}};
  const TrialOutcome outcome = run_behaviour(R"("do": "hang-after-done")");
  EXPECT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  EXPECT_TRUE(outcome.reply.has_value());
}

TEST_F(RunnerTest, WhatDiesAfterItsReplyIsCompletedAlsoWithoutSayingThatItIsDone) {
  for (const char* how : {R"("do": "crash")", R"("do": "kill")", R"("do": "exit", "code": 3)"}) {
    const TrialOutcome outcome = run_behaviour(how + std::string(R"(, "phase": "reply")"));
    EXPECT_EQ(outcome.kind, OutcomeKind::completed) << how << outcome.reason;
    EXPECT_EQ(outcome.phase, "write");
    EXPECT_TRUE(outcome.reply.has_value());
  }
  EXPECT_EQ(run_behaviour(R"("do": "garbled", "how": "no-done")").kind, OutcomeKind::completed);
  options_.phase_limits_ns = {{"write", 100'000'000}};
  EXPECT_EQ(run_behaviour(R"("do": "hang", "phase": "reply")").kind, OutcomeKind::completed);
  EXPECT_EQ(run_behaviour(R"("do": "crash", "phase": "write")").reason, "SIGSEGV in phase write")
      << "there was no reply yet";
}

TEST_F(RunnerTest, NamesTheVariablesThatTheWorkerDidNotGet) {
  setenv("KINETO_USE_DAEMON", "1", 1);
  const TrialOutcome outcome = run("");
  unsetenv("KINETO_USE_DAEMON");
  const auto& removed = outcome.removed_variables;
  EXPECT_NE(std::find(removed.begin(), removed.end(), "KINETO_USE_DAEMON"), removed.end());
}

TEST_F(RunnerTest, TheReplyOfAnEarlierTryIsNotTakenForThisOne) {
  ASSERT_EQ(run("").kind, OutcomeKind::completed);
  const TrialOutcome outcome = run_behaviour(R"("do": "garbled", "how": "no-reply")");
  EXPECT_EQ(outcome.kind, OutcomeKind::garbled);
  EXPECT_EQ(outcome.reason, "no reply was written");
}

TEST_F(RunnerTest, AProgramThatCannotBeStartedIsAnErrorThatNamesIt) {
  options_.worker = folder_ / "no-such-worker";
  try {
    run("");
    FAIL() << "did not throw";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-worker: cannot be started"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(RunnerTest, TicksComeWhileTheTrialRuns) {
  int ticks = 0;
  options_.tick_ns = 20'000'000;
  options_.on_tick = [&] { ++ticks; };
  const TrialOutcome outcome = run_behaviour(R"("do": "slow", "ns": 200000000)");
  EXPECT_GE(ticks, 3);
  EXPECT_LE(ticks, (outcome.end_ns - outcome.start_ns) / options_.tick_ns);
}

class StopTest : public RunnerTest {
 protected:
  // Raises the flag a little after the phase has begun.
  TrialOutcome run_stopped(int how, const std::string& behaviour) {
    options_.stop = &stop_;
    std::thread later;
    options_.on_phase = [&](const PhaseArrival& arrival) {
      if (arrival.phase == "measure") {
        later = std::thread([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          stop_ = how;
        });
      }
    };
    TrialOutcome outcome = run_behaviour(behaviour);
    later.join();
    return outcome;
  }
  std::atomic<int> stop_ = 0;
};

TEST_F(StopTest, OneStopEndsTheTrialKindly) {
  options_.grace_ns = 20'000'000'000;
  const TrialOutcome outcome = run_stopped(1, R"("do": "hang")");
  EXPECT_EQ(outcome.kind, OutcomeKind::interrupted);
  EXPECT_EQ(outcome.reason, "stopped in phase measure");
  EXPECT_LT(outcome.end_ns - outcome.start_ns, options_.grace_ns);
}

TEST_F(StopTest, TwoStopsDoNotWaitForTheGrace) {
  options_.grace_ns = 20'000'000'000;
  const TrialOutcome outcome = run_stopped(2, R"("do": "hang", "ignores_term": true)");
  EXPECT_EQ(outcome.kind, OutcomeKind::interrupted);
  EXPECT_LT(outcome.end_ns - outcome.start_ns, options_.grace_ns);
}

TEST_F(StopTest, AfterAStopNothingIsStarted) {
  stop_ = 1;
  options_.stop = &stop_;
  EXPECT_EQ(run("").kind, OutcomeKind::interrupted);
  EXPECT_FALSE(fs::exists(fs::path(spec_.folder) / "reply.json"));
}

// What timeout(1) and a terminal do to a worker that is still in our group: both get the signal.
TEST_F(StopTest, ASignalThatMeetsUsAndTheWorkerIsAnInterruption) {
  static std::atomic<int>* flag = nullptr;
  flag = &stop_;
  options_.stop = &stop_;
  const auto before = std::signal(SIGUSR1, [](int) { flag->store(1); });
  const fs::path script = folder_ / "ends-with-us";
  std::ofstream(script) << "#!/bin/sh\nkill -USR1 $PPID\nkill -TERM $$\n";
  fs::permissions(script, fs::perms::owner_all);
  options_.worker = script;
  const TrialOutcome outcome = run("");
  std::signal(SIGUSR1, before);
  EXPECT_EQ(outcome.kind, OutcomeKind::interrupted) << outcome.reason;
  EXPECT_EQ(outcome.reason, "stopped before its first phase");
}

struct Garbled {
  const char* how;
  const char* reason;
};

class GarbledTest : public RunnerTest, public testing::WithParamInterface<Garbled> {};

TEST_P(GarbledTest, IsSaidWithWhatMakesNoSense) {
  const TrialOutcome outcome =
      run_behaviour(std::string(R"("do": "garbled", "how": ")") + GetParam().how + "\"");
  EXPECT_EQ(outcome.kind, OutcomeKind::garbled) << outcome.reason;
  EXPECT_NE(outcome.reason.find(GetParam().reason), std::string::npos) << outcome.reason;
  EXPECT_FALSE(outcome.reply.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All,
    GarbledTest,
    testing::Values(Garbled{"not-json", "is not valid JSON"},
                    Garbled{"empty", "is not valid JSON"},
                    Garbled{"truncated", "is not valid JSON"},
                    Garbled{"duplicate", "names 'id' twice"},
                    Garbled{"protocol", "protocol is 99, known is 1"},
                    Garbled{"missing", "slices is missing"},
                    Garbled{"mistyped", "slices[0].wall_ns is not a whole number"},
                    Garbled{"negative", "slices[0].samples is out of range"},
                    Garbled{"sum", "slices[0].phases sum to"},
                    Garbled{"other-id", "id is that of another trial"},
                    Garbled{"no-reply", "no reply was written"},
                    Garbled{"phase-word", "a phase line makes no sense after 'warmup'"},
                    Garbled{"phase-order", "a phase line makes no sense after 'warmup'"},
                    Garbled{"phase-long", "a phase line is too long"}),
    [](const auto& test) {
      std::string name = test.param.how;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace tune::runner
