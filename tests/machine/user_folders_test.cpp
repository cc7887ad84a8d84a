#include "machine/user_folders.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

// Every test sets what it needs; ctest runs each in its own process, and nothing else here reads
// these.
class UserFolders : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"TUNE_CACHE_DIR",
                             "TUNE_DATA_DIR",
                             "TUNE_RUNTIME_DIR",
                             "XDG_CACHE_HOME",
                             "XDG_DATA_HOME",
                             "XDG_RUNTIME_DIR",
                             "TMPDIR"}) {
      unsetenv(name);
    }
    setenv("HOME", "/home/ada", 1);
  }
};

TEST_F(UserFolders, FollowOurVariableThenXdgThenHome) {
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/tune");
  EXPECT_EQ(data_folder(), "/home/ada/.local/share/tune");
  EXPECT_EQ(runtime_folder(), "/tmp/tune-" + std::to_string(getuid()));
  setenv("XDG_CACHE_HOME", "/c", 1);
  setenv("XDG_DATA_HOME", "/d", 1);
  setenv("XDG_RUNTIME_DIR", "/r", 1);
  EXPECT_EQ(cache_folder(), "/c/tune");
  EXPECT_EQ(data_folder(), "/d/tune");
  EXPECT_EQ(runtime_folder(), "/r/tune");
  setenv("TUNE_CACHE_DIR", "/own/c", 1);
  setenv("TUNE_DATA_DIR", "/own/d", 1);
  setenv("TUNE_RUNTIME_DIR", "/own/r", 1);
  EXPECT_EQ(cache_folder(), "/own/c");
  EXPECT_EQ(data_folder(), "/own/d");
  EXPECT_EQ(runtime_folder(), "/own/r");
}

TEST_F(UserFolders, IgnoreEmptyAndRelativeXdgValuesButTakeOursRelativeToHere) {
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("XDG_DATA_HOME", "", 1);
  EXPECT_EQ(cache_folder(), "/home/ada/.cache/tune");
  EXPECT_EQ(data_folder(), "/home/ada/.local/share/tune");
  setenv("TUNE_CACHE_DIR", "mine", 1);
  EXPECT_EQ(cache_folder(), fs::current_path() / "mine");
}

TEST_F(UserFolders, APrivateFolderIsForThisUserOnly) {
  const fs::path base = fs::temp_directory_path() / ("folders_test." + std::to_string(getpid()));
  make_private_folder(base / "a/b");
  make_private_folder(base / "a/b");  // again: fine
  struct stat facts {};
  ASSERT_EQ(stat((base / "a/b").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0700U);
  std::ofstream(base / "file") << "x";
  EXPECT_THROW(make_private_folder(base / "file"), Error);
  EXPECT_THROW(make_private_folder(base / "file/below"), Error);
  fs::create_directory_symlink(base / "a", base / "link");
  EXPECT_THROW(make_private_folder(base / "link"), Error);
  fs::remove_all(base);
}

}  // namespace
}  // namespace tune::machine
