#include "worker/script/kept_copy.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tune::script {
namespace {

namespace fs = std::filesystem;

class KeptCopyTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "kept-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directories(folder_ / "out");
    write("train.py", "mine");
    write("out/model.pt", "old");
    write("out/gone.txt", "old");
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

  std::string path(const fs::path& file) const { return (folder_ / file).string(); }
  Shield shield() const { return {{folder_ / ""}, ""}; }

  fs::path folder_;
};

TEST_F(KeptCopyTest, WhatTheTrialWroteIsUndone) {
  KeptCopy copy(shield(), "unshare", {});
  const auto moment = fs::last_write_time(folder_ / "out/model.pt");
  write("out/model.pt", "another");
  fs::remove(folder_ / "out/gone.txt");
  fs::create_directories(folder_ / "runs/1");
  write("runs/1/log", "x");
  copy.undo({path("out/model.pt"),
             "os.remove " + path("out/gone.txt"),
             "os.mkdir " + path("runs"),
             path("runs/1/log")});
  EXPECT_EQ(read("out/model.pt"), "old");
  EXPECT_EQ(fs::last_write_time(folder_ / "out/model.pt"), moment);
  EXPECT_EQ(read("out/gone.txt"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "runs"));
  std::vector<std::string> notes;
  copy.add_notes(notes);
  EXPECT_EQ(notes.size(), 1U) << "nothing else has changed";
}

TEST_F(KeptCopyTest, WhatSomebodyElseChangedStays) {
  KeptCopy copy(shield(), "unshare", {});
  write("train.py", "my next version");
  write("notes.txt", "my notes");
  write("out/mine.pt", "from another run");
  copy.undo({"os.mkdir " + path("out"), "os.mkdir " + folder_.string(), path("out/model.pt")});
  EXPECT_EQ(read("train.py"), "my next version");
  EXPECT_EQ(read("notes.txt"), "my notes");
  EXPECT_EQ(read("out/mine.pt"), "from another run") << "the folder was there before";
  std::vector<std::string> notes;
  copy.add_notes(notes);
  EXPECT_EQ(notes.size(), 4U);
}

TEST_F(KeptCopyTest, AFolderThatIsRemovedComesBack) {
  KeptCopy copy(shield(), "unshare", {});
  fs::remove_all(folder_ / "out");
  copy.undo({"shutil.rmtree " + path("out")});
  EXPECT_EQ(read("out/model.pt"), "old");
  EXPECT_EQ(read("out/gone.txt"), "old");
}

TEST_F(KeptCopyTest, AFolderInPlaceOfAFileGoes) {
  KeptCopy copy(shield(), "unshare", {});
  fs::remove(folder_ / "out/model.pt");
  fs::create_directories(folder_ / "out/model.pt");
  copy.undo({"os.remove " + path("out/model.pt"), "os.mkdir " + path("out/model.pt")});
  EXPECT_EQ(read("out/model.pt"), "old");
}

// Otherwise the only copy could be lost.
TEST_F(KeptCopyTest, CopiesStayWhereAFileCannotBeGivenBack) {
  std::string kept;
  {
    KeptCopy copy(shield(), "unshare", {});
    fs::remove(folder_ / "out/model.pt");
    fs::create_directories(folder_ / "out/model.pt");
    write("out/model.pt/of-somebody", "x");
    write("out/gone.txt", "new");
    try {
      copy.undo({"os.remove " + path("out/model.pt"), path("out/gone.txt")});
      FAIL() << "nothing was said";
    } catch (const Error& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find(path("out/model.pt")), std::string::npos) << said;
      const std::size_t begin = said.find("its copy: ") + 10;
      kept = said.substr(begin, said.find(')', begin) - begin);
    }
    EXPECT_EQ(read("out/gone.txt"), "old") << "the others are given back";
  }
  std::stringstream text;
  text << std::ifstream(kept).rdbuf();
  EXPECT_EQ(text.str(), "old") << kept;
  fs::remove_all(fs::path(kept).parent_path());
}

TEST_F(KeptCopyTest, WhatIsTooLargeIsRefusedWithItsLargestFiles) {
  const auto complaint = [&](const KeptCopy::Limits& limits) -> std::string {
    try {
      const KeptCopy copy(shield(), "unshare", limits);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(complaint({.bytes = 10, .entries = 4}), "");
  EXPECT_NE(
      complaint({.bytes = 9, .entries = 4}).find("is too large: train.py 4 B, out/gone.txt 3 B"),
      std::string::npos);
  EXPECT_NE(complaint({.bytes = 10, .entries = 3}), "");
}

TEST_F(KeptCopyTest, VersionsAndRunsAreLeftOut) {
  fs::create_directories(folder_ / ".git");
  fs::create_directories(folder_ / "tune-runs");
  write(".git/pack", "0123456789");
  KeptCopy copy(shield(), "unshare", {.bytes = 10, .entries = 4});
  write("tune-runs/ledger", "x");
  copy.undo({path("tune-runs/ledger")});
  EXPECT_TRUE(fs::exists(folder_ / "tune-runs/ledger"));
}

}  // namespace
}  // namespace tune::script
