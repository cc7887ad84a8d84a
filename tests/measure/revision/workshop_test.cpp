#include "measure/revision/workshop.h"

#include "measure/revision/repository.h"
#include "scratch_clone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

namespace tune::revision {

namespace {

namespace fs = std::filesystem;

class WorkshopTest : public ScratchClone {
 protected:
  WorkshopSettings settings() {
    WorkshopSettings made;
    made.repository = repository();
    made.repository.stop = &stop_;
    made.folder = folder_ / "cache";
    made.toolchain = "a compiler";
    made.tell = [this](const std::string& line) { lines_.push_back(line); };
    return made;
  }

  TreeOrder order(const std::string& name, const std::string& command) const {
    return {
        .revision = {.commit = commit(name), .words = name}, .folder = "perf", .command = command};
  }

  // Prints into a file of ours, whichever tree it runs in.
  std::string counted() const { return "echo built >>" + (folder_ / "count").string(); }
  std::int64_t builds() const {
    const std::string text = text_of(folder_ / "count");
    return std::count(text.begin(), text.end(), '\n');
  }

  // Nothing of ours is known to git, and nothing is where builds were.
  void expect_tidy() const {
    const std::string list = sh("git worktree list");
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 1) << list;
    EXPECT_FALSE(fs::exists(fs::symlink_status(folder_ / "cache/tree")));
  }

  std::atomic<int> stop_ = 0;
  std::vector<std::string> lines_;
};

TEST_F(WorkshopTest, EachSideIsItsCommitBuiltUnderOnePath) {
  {
    Workshop workshop(settings());
    const std::string command = "pwd >place && cp a.yaml built";
    workshop.make("candidate", order("HEAD", command));
    workshop.make("baseline", order("HEAD~1", command));
    for (const auto& [side, text] : {std::pair("baseline", "one\n"),
                                     std::pair("candidate", "two\n"),
                                     std::pair("baseline", "one\n")}) {
      workshop.enter(side);
      EXPECT_EQ(text_of(workshop.tree() / "perf/built"), text);
      EXPECT_EQ(text_of(workshop.tree() / "perf/place"),
                (workshop.tree() / "perf").string() + "\n");
      EXPECT_FALSE(fs::exists(workshop.tree() / ".git"));
    }
  }
  expect_tidy();
}

TEST_F(WorkshopTest, WhatWasBuiltIsNotBuiltAgain) {
  for (int i = 0; i < 2; ++i) {
    Workshop workshop(settings());
    workshop.make("candidate", order("HEAD", counted()));
    workshop.make("baseline", order("HEAD", counted()));
    EXPECT_EQ(builds(), 1);
    workshop.enter("baseline");
    EXPECT_EQ(text_of(workshop.tree() / "perf/a.yaml"), "two\n");
  }
  EXPECT_TRUE(lines_.back().ends_with(", is built already")) << lines_.back();
  {
    Workshop workshop(settings());
    workshop.make("candidate", order("HEAD~1", counted()));
    EXPECT_EQ(builds(), 2);
    workshop.make("candidate", order("HEAD", counted() + " "));
    EXPECT_EQ(builds(), 3) << "another command";
  }
  WorkshopSettings other = settings();
  other.toolchain = "another compiler";
  {
    Workshop workshop(other);
    workshop.make("candidate", order("HEAD", counted()));
    EXPECT_EQ(builds(), 4);
  }
  other.builds_anew = true;
  Workshop workshop(other);
  workshop.make("candidate", order("HEAD", counted()));
  workshop.make("baseline", order("HEAD", counted()));
  EXPECT_EQ(builds(), 5) << "once for both sides";
}

TEST_F(WorkshopTest, ABuildThatFailsIsToldWithItsOutputAndLeavesNothing) {
  {
    Workshop workshop(settings());
    try {
      workshop.make("baseline",
                    order("HEAD", "for i in $(seq 100); do echo line $i; done; exit 3"));
      FAIL() << "it was built";
    } catch (const BuildFailed& error) {
      EXPECT_EQ(error.side(), "baseline");
      EXPECT_NE(std::string(error.what()).find("exit code 3"), std::string::npos) << error.what();
      EXPECT_TRUE(error.output().starts_with("line 71\n")) << error.output();
      EXPECT_TRUE(error.output().ends_with("line 100\n"));
    }
    EXPECT_TRUE(text_of(folder_ / "cache/build-baseline.log").starts_with("line 1\n"));
    EXPECT_TRUE(fs::is_empty(folder_ / "cache/built"));
  }
  expect_tidy();
}

TEST_F(WorkshopTest, AnInterruptionEndsTheBuildAndLeavesNothing) {
  {
    WorkshopSettings stopped = settings();
    stopped.tick = [this](const std::string&) { stop_ = 1; };
    Workshop workshop(stopped);
    EXPECT_THROW(workshop.make("candidate", order("HEAD", "sleep 1000")), Stopped);
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "cache/built"));
  expect_tidy();
}

TEST_F(WorkshopTest, WhatAKilledGateLeftIsRemoved) {
  fs::create_directories(folder_ / "cache");
  ASSERT_EQ(sh("git worktree add -q --detach --lock ../cache/tree"), "[0]");
  {
    Workshop workshop(settings());
    workshop.make("candidate", order("HEAD", ""));
    workshop.enter("candidate");
    EXPECT_EQ(text_of(workshop.tree() / "perf/a.yaml"), "two\n");
  }
  expect_tidy();
}

TEST_F(WorkshopTest, KeepsFourTrees) {
  for (const char* const command : {"true 1", "true 2", "true 3", "true 4", "true 5"}) {
    Workshop workshop(settings());
    workshop.make("candidate", order("HEAD", command));
    workshop.make("baseline", order("HEAD~1", command));
    workshop.keep_newest();
    workshop.enter("baseline");
    EXPECT_TRUE(fs::exists(workshop.tree() / "perf/a.yaml"));
  }
  const auto kept = fs::directory_iterator(folder_ / "cache/built");
  EXPECT_EQ(std::distance(begin(kept), end(kept)), 4);
}

TEST_F(WorkshopTest, NeitherHooksNorTheirVariablesReachABuild) {
  sh("printf '#!/bin/sh\\necho hook >>" + (folder_ / "hooked").string() +
     "\\n' >.git/hooks/post-checkout && chmod +x .git/hooks/post-checkout");
  setenv("GIT_INDEX_FILE", "nowhere", 1);
  {
    Workshop workshop(settings());
    workshop.make("candidate", order("HEAD", "echo \"<$GIT_INDEX_FILE>\" >seen"));
    workshop.enter("candidate");
    EXPECT_EQ(text_of(workshop.tree() / "perf/seen"), "<>\n");
  }
  unsetenv("GIT_INDEX_FILE");
  EXPECT_FALSE(fs::exists(folder_ / "hooked"));
}

TEST(Toolchain, IsTheSameUntilSomethingOfItChanges) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string before = describe_toolchain(folder, nullptr);
  EXPECT_NE(before.find("== cmake\n"), std::string::npos);
  EXPECT_EQ(describe_toolchain(folder, nullptr), before);
  setenv("CXXFLAGS", "-O1 -DTUNE_TOOLCHAIN_TEST", 1);
  const std::string after = describe_toolchain(folder, nullptr);
  unsetenv("CXXFLAGS");
  EXPECT_NE(after, before);
  EXPECT_NE(after.find("-DTUNE_TOOLCHAIN_TEST"), std::string::npos);
}

TEST(Toolchain, NamesALauncherBesideTheCompiler) {
  setenv("CXX", "echo launcher", 1);
  const std::string text = describe_toolchain(std::filesystem::temp_directory_path(), nullptr);
  unsetenv("CXX");
  EXPECT_NE(text.find("== echo launcher\nlauncher --version\n"), std::string::npos) << text;
}

}  // namespace

}  // namespace tune::revision
