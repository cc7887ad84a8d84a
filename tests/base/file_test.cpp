#include "base/file.h"

#include "base/error.h"
#include "limited_file_size.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

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

TEST(File, IsWithinItsFolderByTheWordsAlone) {
  EXPECT_TRUE(tune::is_within("/data/set/a.jpg", "/data"));
  EXPECT_TRUE(tune::is_within("/data", "/data"));
  EXPECT_TRUE(tune::is_within("set/a.jpg", "set"));
  EXPECT_FALSE(tune::is_within("/data", "/data/set"));
  EXPECT_FALSE(tune::is_within("/data2/a.jpg", "/data")) << "a folder, not the beginning of a word";
  EXPECT_FALSE(tune::is_within("/data/../etc/passwd", "/data"));
  EXPECT_FALSE(tune::is_within("a.jpg", "/data")) << "nobody knows where it is";
}

// Killed by the limit of sizes, in the middle of writing.
TEST(File, OfTheUsersHasNoDraftBesideItWhenTheWriterIsKilled) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "file_test_killed";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const int nameless = open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (nameless < 0) {
    GTEST_SKIP() << "this file system has no files without a name";
  }
  close(nameless);
  tune::write_file_synced(folder / "mine.yaml", "old");
  const auto write_too_much = [&] {
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_DFL);
    tune::replace_file_synced(folder / "mine.yaml", std::string(5000, 'n'));
  };
  EXPECT_EXIT(write_too_much(), testing::KilledBySignal(SIGXFSZ), "");
  EXPECT_EQ(tune::read_file(folder / "mine.yaml"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
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

// Reading the memory at address 0 fails with EIO, as a disk does.
TEST(File, ThatCannotBeReadNowIsNeitherMissingNorDamaged) {
  EXPECT_THROW(tune::read_file("/proc/self/mem"), tune::MachineError);
  EXPECT_THROW(tune::read_kept_file("/proc/self/mem"), tune::MachineError);
  rlimit usual{};
  getrlimit(RLIMIT_NOFILE, &usual);
  rlimit none = usual;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &none);
  std::string told;
  try {
    tune::read_file("/proc/self/stat");
  } catch (const tune::MachineError& error) {
    told = error.what();
  }
  setrlimit(RLIMIT_NOFILE, &usual);
  EXPECT_EQ(told, "/proc/self/stat: cannot be opened (Too many open files)");
}

TEST(File, IsMissingOnlyWhereThatIsCertain) {
  namespace fs = std::filesystem;
  const fs::path file = fs::path(testing::TempDir()) / "type_of.txt";
  tune::write_file_synced(file, "text");
  EXPECT_EQ(tune::type_of(file), fs::file_type::regular);
  EXPECT_EQ(tune::type_of(file.parent_path()), fs::file_type::directory);
  EXPECT_EQ(tune::type_of(file / "below"), fs::file_type::not_found);
  fs::remove(file);
  EXPECT_EQ(tune::type_of(file), fs::file_type::not_found);
  fs::create_symlink(file, file);
  EXPECT_THROW(tune::type_of(file), tune::Error) << "a link to itself";
  fs::remove(file);
  EXPECT_THROW(tune::type_of(std::string(5000, 'n')), tune::Error);
}

TEST(File, OfOurOwnIsMissingOrDamagedForCertain) {
  const auto is_certain = [](const std::string& path) {
    try {
      tune::read_kept_file(path, 1000);
    } catch (const tune::MachineError&) {
      return false;
    } catch (const tune::Error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(is_certain("/nonexistent/reply.json"));
  EXPECT_TRUE(is_certain("/dev/null/reply.json"));
  EXPECT_TRUE(is_certain("/"));
  EXPECT_TRUE(is_certain("/" + std::string(5000, 'x')));
  EXPECT_TRUE(is_certain("/proc/kallsyms")) << "too large";
  EXPECT_EQ(tune::type_of_kept("/nonexistent/x"), std::filesystem::file_type::not_found);
  EXPECT_EQ(tune::type_of_kept("/dev/null/x"), std::filesystem::file_type::not_found);
  EXPECT_EQ(tune::type_of_kept("/"), std::filesystem::file_type::directory);
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
