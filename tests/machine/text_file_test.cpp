#include "machine/text_file.h"

#include "changing_root.h"

namespace tune::machine {

namespace {

using KeptTextTest = ChangingRoot;

TEST_F(KeptTextTest, ReadsTheWholeFileAgainAndAgain) {
  const std::string text(100'000, 'a');
  write("proc/stat", text);
  KeptText file(root_ / "proc/stat");
  EXPECT_EQ(file.read(), text);
  EXPECT_EQ(file.problem(), "");
  write("proc/stat", "short");
  EXPECT_EQ(file.read(), "short");
}

TEST_F(KeptTextTest, ReadsNoMoreThanItsLimit) {
  write("proc/stat", std::string(100'000, 'a'));
  EXPECT_EQ(KeptText(root_ / "proc/stat", 5'000).read().size(), 5'000U);
}

TEST_F(KeptTextTest, SaysWhyThereIsNothing) {
  KeptText missing(root_ / "none");
  EXPECT_EQ(missing.read(), "");
  EXPECT_EQ(missing.problem(), (root_ / "none").string() + ": No such file or directory");
  write("folder/file", "");
  KeptText folder(root_ / "folder");
  EXPECT_EQ(folder.read(), "");
  EXPECT_EQ(folder.problem(), (root_ / "folder").string() + ": Is a directory");
  KeptText empty(root_ / "folder/file");
  EXPECT_EQ(empty.read(), "");
  EXPECT_EQ(empty.problem(), (root_ / "folder/file").string() + ": is empty");
}

TEST_F(KeptTextTest, KeepsItsFileWhenItIsMoved) {
  write("file", "text");
  KeptText first(root_ / "file");
  KeptText second(std::move(first));
  EXPECT_EQ(second.read(), "text");
}

}  // namespace

}  // namespace tune::machine
