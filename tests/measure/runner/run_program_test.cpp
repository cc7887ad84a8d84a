#include "measure/runner/run_program.h"

#include "base/error.h"
#include "machine/processes.h"
#include "measure/runner/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace tune::runner {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongNs = 20'000'000'000;

class RunProgramTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(script_); }

  ProgramRun run(const std::string& commands,
                 std::int64_t timeout_ns = kLongNs,
                 const std::atomic<int>* stop = nullptr) const {
    std::ofstream(script_) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(script_, fs::perms::owner_all);
    return run_program(script_, "--word", timeout_ns, stop);
  }

  const fs::path script_ =
      fs::path(testing::TempDir()) / ("tune-program-" + std::to_string(getpid()));
};

TEST_F(RunProgramTest, GivesTheWordAndKeepsTheEndOfTheOutput) {
  const ProgramRun run_ = run("echo got $1; head -c 100000 /dev/zero | tr '\\0' x; echo end");
  EXPECT_EQ(run_.problem(), "");
  EXPECT_TRUE(run_.output.ends_with("xend\n"));
  EXPECT_EQ(run_.output.size(), 2048U);
  EXPECT_EQ(run("echo got $1").output, "got --word\n");
}

TEST_F(RunProgramTest, KeepsMoreWhereThatIsAskedFor) {
  EXPECT_EQ(run("head -c 5000 /dev/zero | tr '\\0' x").output.size(), 2048U);
  EXPECT_EQ(run_program(script_, "x", kLongNs, nullptr, 4096).output.size(), 4096U);
}

TEST_F(RunProgramTest, SaysWhyItDidNotEndWell) {
  EXPECT_EQ(run("echo no such thing >&2; exit 3").problem(), "exit code 3: no such thing");
  EXPECT_EQ(run("kill -9 $$").problem(), "signal 9");
}

TEST_F(RunProgramTest, KillsWhatTakesTooLongOrIsStopped) {
  const std::vector<int> before = machine::child_processes();
  EXPECT_EQ(run("sleep 100", 1'000'000).problem(), "it took too long");
  const std::atomic<int> stop = 1;
  EXPECT_EQ(run("sleep 100", kLongNs, &stop).problem(), "it was stopped");
  EXPECT_EQ(machine::child_processes(), before);
}

TEST_F(RunProgramTest, RunsInAFolderWithAnEnvironmentAndTellsTheAnswerApart) {
  const fs::path folder = fs::canonical(testing::TempDir());
  const ProgramRun run_ =
      run_program({.command = {.program = "sh",
                               .arguments = {"-c", "pwd; echo \"<$A>\" >&2; echo >&3"},
                               .environment = user_environment({}, {"A=b c"}),
                               .folder = folder,
                               .second = SecondPipe::answer},
                   .timeout_ns = kLongNs});
  EXPECT_EQ(run_.answer, folder.string() + "\n");
  EXPECT_TRUE(run_.output.starts_with("<b c>\n")) << run_.output;
  EXPECT_NE(run_.end.exit_code, 0) << "descriptor 3 was open";
}

TEST_F(RunProgramTest, WithoutASecondPipeBothOutputsAreOne) {
  std::int64_t ticks = 0;
  const ProgramRun run_ =
      run_program({.command = {.program = "/bin/sh",
                               .arguments = {"-c", "echo 1; echo 2 >&2; sleep 0.1; echo 3"},
                               .environment = user_environment({}, {}),
                               .second = SecondPipe::none},
                   .timeout_ns = kLongNs,
                   .output_bytes = 4,
                   .on_tick = [&] { ++ticks; }});
  EXPECT_EQ(run_.output, "2\n3\n");
  EXPECT_EQ(run_.answer, "");
  EXPECT_GT(ticks, 1);
}

TEST_F(RunProgramTest, WhoWritesWithoutEndIsStoppedInTime) {
  const ProgramRun run_ = run_program({.command = {.program = "yes",
                                                   .environment = user_environment({}, {}),
                                                   .second = SecondPipe::none},
                                       .timeout_ns = 50'000'000});
  EXPECT_TRUE(run_.was_late);
  EXPECT_EQ(run_.output.size(), 2048U);
}

TEST(UserEnvironment, DropsAndReplaces) {
  setenv("TUNE_TEST_ONE", "1", 1);
  setenv("TUNE_TEST_TWO", "2", 1);
  const auto variables = user_environment({"TUNE_TEST_ONE"}, {"TUNE_TEST_TWO=3"});
  unsetenv("TUNE_TEST_ONE");
  unsetenv("TUNE_TEST_TWO");
  const auto count = [&](const std::string& entry) {
    return std::count(variables.begin(), variables.end(), entry);
  };
  EXPECT_EQ(count("TUNE_TEST_ONE=1"), 0);
  EXPECT_EQ(count("TUNE_TEST_TWO=2"), 0);
  EXPECT_EQ(count("TUNE_TEST_TWO=3"), 1);
  EXPECT_GT(variables.size(), 1U);
}

TEST_F(RunProgramTest, ThrowsWhenThereIsNoSuchProgram) {
  EXPECT_THROW(run_program({.command = {.program = "no-such-program-in-path"}}), Error);

  EXPECT_THROW(run_program("/no/such/program", "x", kLongNs, nullptr), Error);
}

TEST(StartDetached, FindsAProgramInThePath) {
  EXPECT_EQ(start_detached("true", "an argument"), "");
}

TEST(StartDetached, SaysWhyItCouldNot) {
  EXPECT_EQ(start_detached("no-such-program-here", ""), "No such file or directory");
}

}  // namespace

}  // namespace tune::runner
