#include "worker/data/file_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

class FileBytesTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  const fs::path folder_ = [] {
    fs::path folder =
        fs::path(testing::TempDir()) / ("tune-file-bytes-" + std::to_string(getpid()));
    fs::create_directories(folder);
    return folder;
  }();
};

TEST_F(FileBytesTest, HoldsOneFileAfterTheOther) {
  std::ofstream(folder_ / "long") << std::string(100'000, 'a');
  std::ofstream(folder_ / "short") << "b";
  FileBytes file;
  EXPECT_EQ(file.read(folder_ / "long"), "");
  EXPECT_EQ(file.bytes().size(), 100'000U);
  EXPECT_EQ(file.read(folder_ / "short"), "");
  ASSERT_EQ(file.bytes().size(), 1U);
  EXPECT_EQ(file.bytes()[0], 'b');
}

// A pipe without a writer, or a terminal, would block its reader forever.
TEST_F(FileBytesTest, WhatIsNoRegularFileIsRefusedWithoutWaiting) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder_ / "link");
  FileBytes file;
  for (const fs::path& path :
       {folder_ / "pipe", folder_ / "link", folder_, fs::path("/dev/null"), fs::path("/dev/tty")}) {
    const std::string problem = file.read(path);
    EXPECT_TRUE(problem == "not a regular file" || path == "/dev/tty") << path << problem;
    EXPECT_NE(problem, "") << path;
  }
}

TEST_F(FileBytesTest, SaysWhyAFileCannotBeRead) {
  std::ofstream(folder_ / "empty").flush();
  FileBytes file;
  EXPECT_EQ(file.read(folder_ / "gone"), "No such file or directory");
  EXPECT_EQ(file.read(folder_ / "empty" / "below"), "Not a directory");
  EXPECT_EQ(file.read(folder_ / "empty"), "0 bytes");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(file.read(folder_ / "circle"), "Too many levels of symbolic links");
}

// The kernel's own files claim 4096 bytes and contain less.
TEST_F(FileBytesTest, AFileThatEndsTooEarlySaysWhere) {
  const fs::path shorter = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::error_code ignored;
  if (fs::file_size(shorter, ignored) != 4096) {
    GTEST_SKIP() << "no such file here";
  }
  FileBytes file;
  const std::string problem = file.read(shorter);
  EXPECT_TRUE(problem.starts_with("truncated at byte ")) << problem;
  EXPECT_TRUE(problem.ends_with(" of 4096")) << problem;
}

}  // namespace
}  // namespace tune::worker
