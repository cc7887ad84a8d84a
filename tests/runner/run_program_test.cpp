#include "runner/run_program.h"

#include "base/error.h"
#include "machine/child_processes.h"

#include <gtest/gtest.h>

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

TEST_F(RunProgramTest, SaysWhyItDidNotEndWell) {
  EXPECT_EQ(run("echo no such thing >&2; exit 3").problem(), "exit code 3: no such thing");
  EXPECT_EQ(run("kill -9 $$").problem(), "signal 9");
}

TEST_F(RunProgramTest, KillsWhatTakesTooLongOrIsStopped) {
  EXPECT_EQ(run("sleep 100", 1'000'000).problem(), "it took too long");
  const std::atomic<int> stop = 1;
  EXPECT_EQ(run("sleep 100", kLongNs, &stop).problem(), "it was stopped");
  EXPECT_TRUE(machine::child_processes().empty());
}

TEST_F(RunProgramTest, ThrowsWhenThereIsNoSuchProgram) {
  EXPECT_THROW(run_program("/no/such/program", "x", kLongNs, nullptr), Error);
}

}  // namespace
}  // namespace tune::runner
