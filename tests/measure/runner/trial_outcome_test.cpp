#include "measure/runner/trial_outcome.h"

#include "../../trial/sample_trial.h"
#include "base/error.h"
#include "runner_fixture.h"
#include "trial/worker_lines.h"

#include <csignal>
#include <sys/stat.h>

namespace tune::runner {

namespace {

namespace fs = std::filesystem;

class ReadReplyTest : public RunnerTest {
 protected:
  void SetUp() override {
    RunnerTest::SetUp();
    spec_.id = "r1-c07";
    fs::create_directories(spec_.folder);
    file_ = fs::path(spec_.folder) / "reply.json";
  }

  ReadReply read_text(const std::string& text) const {
    std::ofstream(file_, std::ios::binary | std::ios::trunc) << text;
    return read_reply(spec_);
  }

  std::string sample_ = trial::to_json(trial::sample_reply());
  fs::path file_;
};

TEST_F(ReadReplyTest, GivesTheReplyOfThisTrialOnly) {
  EXPECT_EQ(read_text(sample_).reply, trial::sample_reply());
  spec_.id = "r2-c07";
  const ReadReply read = read_text(sample_);
  EXPECT_FALSE(read.reply);
  EXPECT_EQ(read.problem, "id is that of another trial");
}

TEST_F(ReadReplyTest, TellsAMissingFileFromADamagedOne) {
  EXPECT_TRUE(read_reply(spec_).is_missing);
  fs::remove_all(spec_.folder);
  EXPECT_TRUE(read_reply(spec_).is_missing) << "nor is there a folder";
  const fs::path other = folder_ / "elsewhere";
  fs::create_directory_symlink(other, spec_.folder);
  EXPECT_TRUE(read_reply(spec_).is_missing) << "a link to nowhere";
  fs::create_directories(other);
  EXPECT_TRUE(read_text(sample_).reply) << "a trial may lie elsewhere";
}

// A disk that fails says nothing about the worker.
TEST_F(ReadReplyTest, WhatCannotBeReadNowIsNoReplyAtAll) {
  fs::create_symlink("/proc/self/mem", file_);  // EIO
  EXPECT_THROW(read_reply(spec_), MachineError);
  TrialOutcome outcome;
  EXPECT_THROW(classify(spec_, {.end = {}, .phase = "done"}, outcome), MachineError);
}

TEST_F(ReadReplyTest, NeverWaitsForWhatIsNoFile) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(read_reply(spec_).problem, "is not a file");
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_EQ(read_reply(spec_).problem, "is not a file");
  fs::remove(file_);
  fs::create_symlink("reply.json", file_);  // to itself
  const ReadReply read = read_reply(spec_);
  EXPECT_FALSE(read.is_missing);
  EXPECT_NE(read.problem.find("cannot be read (Too many levels"), std::string::npos)
      << read.problem;
}

TEST_F(ReadReplyTest, DoesNotReadWhatIsFarTooLarge) {
  std::ofstream(file_) << "{";
  fs::resize_file(file_, std::uintmax_t{1} << 34U);  // sparse
  EXPECT_NE(read_reply(spec_).problem.find("is too large"), std::string::npos);
}

TEST_F(ReadReplyTest, WhereverItIsCutOffOrZeroedItIsDamaged) {
  for (std::size_t length = 0; length + 2 < sample_.size(); length += 7) {
    const ReadReply cut = read_text(sample_.substr(0, length));
    EXPECT_FALSE(cut.reply) << length;
    EXPECT_FALSE(cut.problem.empty() || cut.is_missing) << length;
    std::string zeroed = sample_;
    zeroed.replace(length, 2, 2, '\0');
    EXPECT_FALSE(read_text(zeroed).reply) << length;
  }
}

TEST_F(ReadReplyTest, SaysWhatIsWrongWithoutTheFileAndWithoutWhatATerminalObeys) {
  EXPECT_EQ(read_text("{}").problem, "protocol is missing");
  const std::string problem = read_text("{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}\x9b").problem;
  EXPECT_EQ(problem, "names '?[31m' twice in one object");
}

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
  EXPECT_EQ(
      reason_with("a bar without end\nno step for 340s; the script is in main (train.py:3)\n"),
      "no reply after 60s in phase measure; no step for 340s; the script is in main "
      "(train.py:3)");
  EXPECT_EQ(reason_with("somebody says no batch for you\n"), "no reply after 60s in phase measure");
}

}  // namespace

}  // namespace tune::runner
