#include "worker/script/agent_files.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <unistd.h>

namespace tune::script {
namespace {

namespace fs = std::filesystem;

class AgentFilesTest : public testing::Test {
 protected:
  AgentFilesTest() {
    spec_.folder = (fs::temp_directory_path() / ("agent-" + std::to_string(getpid()))).string();
    spec_.knobs = trial::default_settings();
  }
  ~AgentFilesTest() override { fs::remove_all(spec_.folder); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(fs::path(spec_.folder) / "agent" / name, std::ios::binary) << text;
  }

  trial::TrialSpec spec_;
};

TEST_F(AgentFilesTest, WhatAnEarlierTryHasLeftIsGone) {
  fs::create_directories(fs::path(spec_.folder) / "agent/trackers");
  write("claim.0", "");
  const AgentFiles files(spec_);
  EXPECT_FALSE(fs::exists(files.folder() / "claim.0"));
  EXPECT_TRUE(fs::exists(files.folder() / "spec.json"));
  EXPECT_FALSE(files.has_begun());
  EXPECT_FALSE(files.facts());
}

TEST_F(AgentFilesTest, PhasesAreReadAsFarAsTheyMakeSense) {
  const AgentFiles files(spec_);
  write("phases",
        "setup 12\nfirst-batch 30\nfirst-batch 40\nwarmup x\nmeasure -3\ndone 9999999999999"
        "9999999\n\xff\xfe");
  EXPECT_TRUE(files.has_begun());
  EXPECT_EQ(files.begin_of("first-batch"), 40);
  for (const char* const phase : {"warmup", "measure", "done", "first"}) {
    EXPECT_FALSE(files.begin_of(phase)) << phase;
  }
}

TEST_F(AgentFilesTest, WhereTheScriptHangsIsSaidAsFarAsItIsKnown) {
  const AgentFiles files(spec_);
  EXPECT_EQ(files.whereabouts(), "no Python has begun yet that has loaded tune's agent");
  write("phases", "setup 12\n");
  EXPECT_EQ(files.whereabouts(), "it is still importing torch, or has just done so");
  write("stacks.7",
        "after 10 s, innermost first:\n  File \"a.py\", line 3, in main\nthe script is in main "
        "(a.py:3)\nafter 20 s, innermost first:\nthe script is in load (b.py:9), which a.py:4 "
        "called\n");
  EXPECT_EQ(files.whereabouts(), "the script is in load (b.py:9), which a.py:4 called");
}

TEST_F(AgentFilesTest, FactsThatAreNoneAreRefused) {
  const AgentFiles files(spec_);
  write("facts.0.json", "{\"facts\": 1, ");
  EXPECT_THROW(files.facts(), Error);
}

}  // namespace
}  // namespace tune::script
