#include "base/appended_file.h"

#include "base/error.h"
#include "base/file.h"
#include "limited_file_size.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace tune {
namespace {

namespace fs = std::filesystem;

class AppendedFileTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("appended_file." + std::to_string(getpid()));
  const fs::path file_ = folder_ / "lines";
};

TEST_F(AppendedFileTest, GoesOnBehindWhatIsGood) {
  AppendedFile::create(file_, "one");
  AppendedFile::reopen(file_, 4).append("two");
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
  EXPECT_THROW(AppendedFile::create(file_, "one"), Error) << "it exists";
}

TEST_F(AppendedFileTest, ThatIsRemovedIsNotWrittenOn) {
  AppendedFile file = AppendedFile::create(file_, "one");
  fs::remove_all(folder_);
  EXPECT_THROW(file.check_place(), MachineError);
  EXPECT_THROW(file.append("two"), MachineError);
}

TEST_F(AppendedFileTest, ThatIsReplacedIsNotWrittenOn) {
  AppendedFile file = AppendedFile::create(file_, "one");
  write_file_synced(file_, "of somebody else\n");
  EXPECT_THROW(file.append("two"), MachineError);
  EXPECT_EQ(read_file(file_), "of somebody else\n");
}

TEST_F(AppendedFileTest, WithoutRoomIsNoFaultOfTheInput) {
  AppendedFile file = AppendedFile::create(file_, "one");
  const LimitedFileSize full(6);
  EXPECT_THROW(file.append("two"), MachineError);
}

TEST_F(AppendedFileTest, ThatCannotBeBegunIsNotThere) {
  {
    const LimitedFileSize full(2);
    EXPECT_THROW(AppendedFile::create(file_, "one"), MachineError);
  }
  EXPECT_FALSE(fs::exists(file_));
  AppendedFile::create(file_, "one").append("two");
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
}

TEST_F(AppendedFileTest, InAFolderThatIsNotThereIsAFaultOfTheInput) {
  try {
    AppendedFile::create(folder_ / "none" / "lines", "one");
    FAIL();
  } catch (const MachineError&) {
    FAIL();
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace tune
