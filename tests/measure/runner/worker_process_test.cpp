#include "measure/runner/worker_process.h"

#include "machine/processes.h"
#include "runner_fixture.h"

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>

namespace tune::runner {
namespace {

namespace fs = std::filesystem;

class GroupTest : public RunnerTest {
 protected:
  // The process that the worker left, from what it printed.
  int grandchild() const {
    const std::string text = log();
    const std::size_t at = text.find("grandchild ");
    return at == std::string::npos ? 0 : std::stoi(text.substr(at + 11));
  }
  static bool exists(int process) { return kill(process, 0) == 0; }
  // Other tests of this process may have left some.
  const std::vector<int> children_before_ = machine::child_processes();
};

TEST_F(GroupTest, AGrandchildThatIgnoresSigtermDiesWithItsTrial) {
  const TrialOutcome outcome = run_behaviour(R"("do": "grandchild")");
  EXPECT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  ASSERT_GT(grandchild(), 1);
  EXPECT_FALSE(exists(grandchild()));
  EXPECT_EQ(machine::child_processes(), children_before_);
}

TEST_F(GroupTest, AGrandchildThatLeftTheGroupDiesAsWell) {
  const TrialOutcome outcome = run_behaviour(R"("do": "grandchild", "leaves_group": true)");
  EXPECT_EQ(outcome.kind, OutcomeKind::completed) << outcome.reason;
  ASSERT_GT(grandchild(), 1);
  EXPECT_FALSE(exists(grandchild()));
  EXPECT_EQ(machine::child_processes(), children_before_);
}

TEST_F(GroupTest, ChildrenThatWereThereBeforeAreLeftAlone) {
  const pid_t other = fork();
  if (other == 0) {
    for (;;) {
      pause();
    }
  }
  EXPECT_EQ(run_behaviour(R"("do": "grandchild")").kind, OutcomeKind::completed);
  EXPECT_TRUE(exists(other));
  kill(other, SIGKILL);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

TEST_F(GroupTest, AnExceptionOfACallbackLeavesNoWorkerBehind) {
  options_.on_phase = [](const PhaseArrival&) { throw std::runtime_error("full"); };
  EXPECT_THROW(run_behaviour(R"("do": "hang", "ignores_term": true)"), std::runtime_error);
  EXPECT_EQ(machine::child_processes(), children_before_);
}

TEST_F(GroupTest, TheWorkerDiesWithAnOrchestratorThatIsKilled) {
  const fs::path file = folder_ / "worker.pid";
  const pid_t orchestrator = fork();
  if (orchestrator == 0) {
    options_.on_phase = [&](const PhaseArrival& arrival) {
      if (arrival.phase == "measure") {
        std::ofstream(file) << machine::child_processes().back() << "\n";
        kill(getpid(), SIGKILL);
      }
    };
    run_behaviour(R"("do": "hang", "phase": "write", "ignores_term": true)");
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(orchestrator, &status, 0), orchestrator);
  ASSERT_TRUE(WIFSIGNALED(status));
  int worker = 0;
  std::ifstream(file) >> worker;
  ASSERT_GT(worker, 1);
  for (int i = 0; i < 200 && exists(worker); ++i) {  // whoever adopts it reaps it soon
    std::ifstream stat("/proc/" + std::to_string(worker) + "/stat");
    std::string number;
    std::string name;
    std::string state;
    stat >> number >> name >> state;
    if (state == "Z") {
      break;
    }
    ASSERT_LT(i, 199) << "the worker lives on";
    usleep(10'000);
  }
}

TEST_F(GroupTest, TheWorkerLeavesOurGroupBeforeItsFirstInstruction) {
  const fs::path script = folder_ / "says-its-group";
  std::ofstream(script) << "#!/bin/sh\nread -r pid name state parent group rest </proc/$$/stat\n"
                           "echo \"$$ $group\"\n";
  fs::permissions(script, fs::perms::owner_all);
  options_.worker = script;
  run("");
  std::istringstream said(log());
  int worker = 0;
  int group = -1;
  said >> worker >> group;
  EXPECT_GT(worker, 1);
  EXPECT_EQ(group, worker);
}

TEST_F(GroupTest, NoDescriptorIsLeftOpen) {
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  run("");
  const auto before = open_files();
  run("");
  run_behaviour(R"("do": "crash")");
  EXPECT_EQ(open_files(), before);
}

TEST_F(GroupTest, OurOwnClosedStandardDescriptorsDoNotMixUpThePipes) {
  const pid_t closed = fork();
  if (closed == 0) {
    close(0);
    close(1);
    close(2);
    _exit(run("").kind == OutcomeKind::completed ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(closed, &status, 0), closed);
  EXPECT_EQ(status, 0);
}

TEST_F(GroupTest, AStarterThatIgnoresSigchldDoesNotHideTheEndOfAWorker) {
  const pid_t starter = fork();
  if (starter == 0) {
    (void)std::signal(SIGCHLD, SIG_IGN);
    alarm(20);  // it would wait for ever
    const bool completed = run("").kind == OutcomeKind::completed;
    const bool crashed = run_behaviour(R"("do": "crash")").kind == OutcomeKind::crashed;
    _exit(completed && crashed ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(starter, &status, 0), starter);
  EXPECT_EQ(status, 0);
}

TEST_F(GroupTest, PipesThatTheWorkerClosesDoNotSpinTheRunner) {
  timespec before{};
  timespec after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  const TrialOutcome outcome =
      run_behaviour(R"("do": "close-pipes", "ns": 300000000, "phase": "warmup")");
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  EXPECT_EQ(outcome.kind, OutcomeKind::garbled);  // `done` could not be said
  const auto used_ns =
      (after.tv_sec - before.tv_sec) * 1'000'000'000 + after.tv_nsec - before.tv_nsec;
  EXPECT_LT(used_ns, 150'000'000);  // spinning would use all 300 ms
}

}  // namespace
}  // namespace tune::runner
