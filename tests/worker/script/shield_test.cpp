#include "worker/script/shield.h"

#include "base/error.h"
#include "worker/script/script_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tune::script {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLongestNs = 10'000'000'000;

class ShieldTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "shield-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directories(folder_ / "work/out");
    fs::create_directories(folder_ / "work/trial, of: mine");
    write("work/model.pt", "old");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const fs::path& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
  }

  std::string read(const fs::path& file) const {
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }

  // Runs the line in the shielded folder "work"; returns how it failed.
  std::string run(const std::string& line) {
    ScriptCommand command;
    command.words = {"/bin/sh", "-ec", line};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.folder = folder_ / "work";
    command.shield = {{folder_ / "work", folder_ / "work/out"}, folder_ / "work/trial, of: mine"};
    ScriptProcess process(command);
    return process.wait(kLongestNs) ? process.how_it_failed() : "it hangs";
  }

  // If nobody may mount an overlay, there is nothing to test.
  bool is_allowed() {
    try {
      run("true");
      return true;
    } catch (const Error& error) {
      why_ = error.what();
      return false;
    }
  }

  fs::path folder_;
  std::string why_;
};

TEST_F(ShieldTest, AFileStandsInForAnotherInTheScriptAlone) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: name spaces are not allowed here: " << why_;
  }
  write("work/changed.py", "changed");
  for (const bool has_overlay : {true, false}) {
    ScriptCommand command;
    command.words = {"/bin/sh", "-ec", "test \"$(cat model.pt)\" = changed"};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.folder = folder_ / "work";
    command.shield.kept = folder_ / "work/trial, of: mine";
    command.shield.stand_ins = {{folder_ / "work/model.pt", folder_ / "work/changed.py"}};
    if (has_overlay) {
      command.shield.folders = {folder_ / "work"};
    }
    ScriptProcess process(command);
    ASSERT_TRUE(process.wait(kLongestNs));
    EXPECT_EQ(process.how_it_failed(), "") << "with an overlay: " << has_overlay;
    EXPECT_EQ(read("work/model.pt"), "old");
  }
}

TEST_F(ShieldTest, WhatIsWrittenIsSeenByTheScriptAloneAndIsGoneWithIt) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: overlays are not allowed here: " << why_;
  }
  EXPECT_EQ(
      run("test \"$(cat model.pt)\" = old; echo new > model.pt; test \"$(cat model.pt)\" = new; "
          "echo 1 > out/log; rm -r out; mkdir fresh; echo 2 > fresh/file; chmod 0 fresh"),
      "");
  EXPECT_EQ(read("work/model.pt"), "old");
  EXPECT_TRUE(fs::exists(folder_ / "work/out"));
  EXPECT_FALSE(fs::exists(folder_ / "work/out/log"));
  EXPECT_FALSE(fs::exists(folder_ / "work/fresh"));
  EXPECT_EQ(run("test \"$(cat model.pt)\" = old; test ! -e fresh"), "") << "of the trial before";
}

TEST_F(ShieldTest, TheTrialsOwnFolderAndWhatLiesOutsideAreWritten) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: overlays are not allowed here: " << why_;
  }
  EXPECT_EQ(run("echo reply > 'trial, of: mine/reply'; echo out > ../outside"), "");
  EXPECT_EQ(read("work/trial, of: mine/reply"), "reply\n");
  EXPECT_EQ(read("outside"), "out\n");
}

TEST_F(ShieldTest, TheViewThatItHasIsNamedToTheScript) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: overlays are not allowed here: " << why_;
  }
  EXPECT_EQ(run("test $TUNE_SHIELD = $(stat -Lc %i /proc/self/ns/mnt)"), "");
}

TEST_F(ShieldTest, AScriptThatIsKilledLeavesNothing) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: overlays are not allowed here: " << why_;
  }
  EXPECT_EQ(run("echo new > model.pt; kill -KILL $$"), "SIGKILL");
  EXPECT_EQ(read("work/model.pt"), "old");
}

TEST_F(ShieldTest, ATrialThatIsAskedToEndLeavesNoSpace) {
  if (!is_allowed()) {
    GTEST_SKIP() << "NOT TESTED: overlays are not allowed here: " << why_;
  }
  const Shield shield = {{folder_ / "work"}, {}};
  const fs::path root = ShieldSpace(shield).places().front().parent_path();
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    take_script_along();
    run("echo new > model.pt; echo begun > ../begun; sleep 60");
    _exit(1);
  }
  while (!fs::exists(folder_ / "begun") && waitpid(supervisor, nullptr, WNOHANG) == 0) {
    usleep(1'000);
  }
  EXPECT_TRUE(fs::exists(root / std::to_string(supervisor)));
  EXPECT_EQ(kill(supervisor, SIGTERM), 0);
  EXPECT_EQ(waitpid(supervisor, nullptr, 0), supervisor);
  EXPECT_FALSE(fs::exists(root / std::to_string(supervisor)));
}

TEST_F(ShieldTest, AFolderThatIsNotThereIsNamed) {
  ScriptCommand command;
  command.words = {"/bin/true"};
  command.folder = "/";
  command.shield = {{folder_ / "nothing"}, ""};
  try {
    const ScriptProcess process(command);
    FAIL() << "it began";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find((folder_ / "nothing").string()), 0U);
  }
}

}  // namespace
}  // namespace tune::script
