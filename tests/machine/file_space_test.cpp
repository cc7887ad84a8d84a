#include "machine/file_space.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

class FileSpaceTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    chmod(folder_.c_str(), 0700);
    fs::remove_all(folder_);
  }
  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("tune-file-space-" + std::to_string(getpid()));
};

TEST_F(FileSpaceTest, TellsHowMuchIsFree) {
  const auto space = file_space(folder_);
  ASSERT_TRUE(space.has_value());
  EXPECT_EQ(space->folder, folder_);
  EXPECT_GT(space->total_bytes, 0);
  EXPECT_LE(space->free_bytes, space->total_bytes);
  EXPECT_TRUE(space->is_writable);
}

TEST_F(FileSpaceTest, OfWhatIsNotThereTakesTheFolderAboveAndMakesNothing) {
  const auto space = file_space(folder_ / "not/yet/there/");
  ASSERT_TRUE(space.has_value());
  EXPECT_EQ(space->folder, folder_);
  EXPECT_FALSE(fs::exists(folder_ / "not"));
}

TEST_F(FileSpaceTest, AFolderThatOneMayNotWriteIsNotWritable) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  chmod(folder_.c_str(), 0500);
  EXPECT_FALSE(file_space(folder_)->is_writable);
}

TEST_F(FileSpaceTest, KnowsAFolderInMemory) {
  const auto space = file_space("/dev/shm");
  if (!space || space->folder != "/dev/shm") {
    GTEST_SKIP() << "no /dev/shm here";
  }
  EXPECT_EQ(space->is_memory, space->type == "tmpfs");
}

}  // namespace
}  // namespace tune::machine
