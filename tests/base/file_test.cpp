#include "base/file.h"

#include "base/machine_error.h"
#include "limited_file_size.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

namespace {

TEST(File, IsReplacedWholeAndReadBack) {
  const auto path = std::filesystem::path(testing::TempDir()) / "file_test.txt";
  tune::write_file_synced(path, "old");
  tune::write_file_synced(path, std::string(200'000, 'n'));
  EXPECT_EQ(tune::read_file(path), std::string(200'000, 'n'));
  EXPECT_THROW(tune::read_file(path, 1000), tune::Error);
}

TEST(File, ThatCannotBeReadIsNamed) {
  try {
    tune::read_file("/nonexistent/x.yaml");
    FAIL();
  } catch (const tune::Error& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/x.yaml: cannot be opened (No such file or directory)");
  }
  EXPECT_THROW(tune::read_file("/"), tune::Error);
}

TEST(File, ThatFindsNoRoomIsNoFaultOfTheInputAndLeavesNoDraft) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "file_test_full";
  fs::create_directories(folder);
  {
    const tune::LimitedFileSize full(100);
    EXPECT_THROW(tune::write_file_synced(folder / "new", std::string(200, 'n')),
                 tune::MachineError);
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(File, OfTheUsersKeepsItsPermissionsAndItsLink) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "file_test_links";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path path = folder / "mine.yaml";
  const fs::path link = folder / "link.yaml";
  tune::write_file_synced(path, "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("mine.yaml", link);
  tune::replace_file_synced(link, "new");
  EXPECT_EQ(tune::read_file(path), "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(path).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2) << "no draft is left";
  EXPECT_THROW(tune::replace_file_synced(folder / "missing.yaml", "new"), tune::Error);
  EXPECT_FALSE(fs::exists(folder / "missing.yaml"));
}

}  // namespace
