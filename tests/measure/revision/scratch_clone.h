#pragma once

#include "measure/revision/repository.h"
#include "measure/runner/environment.h"
#include "measure/runner/run_program.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace tune::revision {

/// A clone with two commits on main, in a folder of its own; skipped where there is no git.
class ScratchClone : public testing::Test {
 protected:
  void SetUp() override {
    static std::atomic<int> count = 0;
    folder_ = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
              ("revision_test." + std::to_string(getpid()) + "." + std::to_string(count++));
    std::filesystem::create_directories(folder_ / "clone");
    setenv("GIT_CEILING_DIRECTORIES", folder_.parent_path().c_str(), 1);
    if (!sh("git --version").ends_with("[0]")) {
      GTEST_SKIP() << "git is not installed";
    }
    ASSERT_EQ(sh("git init -q -b main && mkdir perf && echo one >perf/a.yaml && git add . && "
                 "git commit -qm first && echo two >perf/a.yaml && git commit -qam second"),
              "[0]");
  }
  void TearDown() override {
    unsetenv("GIT_CEILING_DIRECTORIES");
    std::filesystem::remove_all(folder_);
  }

  /// Runs commands in the clone: what they print, and their exit code as "[0]".
  std::string sh(const std::string& commands) const {
    const runner::ProgramRun run = runner::run_program(
        {.command = {.program = "/bin/sh",
                     .arguments = {"-c", commands},
                     .environment = runner::user_environment({},
                                                             {"GIT_CONFIG_GLOBAL=/dev/null",
                                                              "GIT_CONFIG_NOSYSTEM=1",
                                                              "GIT_AUTHOR_NAME=a",
                                                              "GIT_AUTHOR_EMAIL=a@example.org",
                                                              "GIT_COMMITTER_NAME=a",
                                                              "GIT_COMMITTER_EMAIL=a@example.org"}),
                     .folder = clone(),
                     .second = runner::SecondPipe::none},
         .timeout_ns = 60'000'000'000});
    return run.output + "[" + std::to_string(run.end.exit_code) + "]";
  }

  std::filesystem::path clone() const { return folder_ / "clone"; }

  Repository repository() const {
    return find_repository(clone() / "perf/a.yaml", nullptr).value_or(Repository{});
  }

  std::string commit(const std::string& name) const {
    return find_commit(repository(), name).value_or("none");
  }

  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

}  // namespace tune::revision
