#include "dataset/image_folder.h"

#include "base/error.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> paths_of(const ImageFolder& folder) {
  std::vector<std::string> paths;
  for (const ImageFile& file : folder.files) {
    paths.push_back(file.path);
  }
  return paths;
}

TEST(ImageFolder, ClassesAreTheSortedSubFolders) {
  const ScratchFolder scratch;
  scratch.write("zebra/1.jpg", "abc");
  scratch.write("ant/2.jpg");
  scratch.write("Bee/3.JPEG");
  scratch.write("beside.jpg");
  const ImageFolder folder = read_image_folder(scratch.path());
  EXPECT_EQ(folder.classes, (std::vector<std::string>{"Bee", "ant", "zebra"}));
  EXPECT_EQ(paths_of(folder), (std::vector<std::string>{"Bee/3.JPEG", "ant/2.jpg", "zebra/1.jpg"}));
  EXPECT_EQ(folder.files[2].label, 2);
  EXPECT_EQ(folder.files[2].bytes, 3);
  EXPECT_TRUE(folder.skipped.empty());
}

TEST(ImageFolder, OrdersNestedFilesByFolderThenName) {
  const ScratchFolder scratch;  // torchvision: sorted(os.walk(...)), then sorted(file names)
  for (const char* path : {"c/z.jpg", "c/a/y.jpg", "c/a/b/x.jpg", "c/a.jpg", "c/a-b/w.jpg"}) {
    scratch.write(path);
  }
  EXPECT_EQ(
      paths_of(read_image_folder(scratch.path())),
      (std::vector<std::string>{"c/a.jpg", "c/z.jpg", "c/a/y.jpg", "c/a-b/w.jpg", "c/a/b/x.jpg"}));
}

TEST(ImageFolder, CountsOtherFilesByType) {
  const ScratchFolder scratch;
  for (const char* path : {"c/1.jpg", "c/2.PNG", "c/3.png", "c/d/4.txt", "c/README", "c/.hidden"}) {
    scratch.write(path);
  }
  const ImageFolder folder = read_image_folder(scratch.path());
  EXPECT_EQ(folder.files.size(), 1U);
  EXPECT_EQ(describe_skipped(folder), (std::vector<std::string>{"2 (none)", "2 .png", "1 .txt"}));
}

TEST(ImageFolder, TellsOfImagesThatItDoesNotRead) {
  EXPECT_EQ(unread_images_text({"2 (none)", "1 .jpg (not a file)", "2 .png", "1 .txt", "7 .webp"}),
            "images of other kinds are not read: 1 .jpg (not a file), 2 .png, 7 .webp (only .jpg "
            "and .jpeg files are)");
  EXPECT_EQ(unread_images_text({"2 (none)", "1 .txt"}), "");
}

TEST(ImageFolder, NamesEveryFolderThatCannotBeUsed) {
  const ScratchFolder scratch;
  for (const char* const name : {"a", "b"}) {
    scratch.write(fs::path(name) / "1.jpg");
    fs::create_directory_symlink(scratch.path() / name, scratch.path() / name / "again");
  }
  const std::string complaint = complaint_of([&] { read_image_folder(scratch.path()); });
  EXPECT_PRED2(contains, complaint, "a/again: leads back");
  EXPECT_PRED2(contains, complaint, "b/again: leads back");
}

TEST(ImageFolder, TakesNamesOfAnyBytes) {
  const ScratchFolder scratch;
  scratch.write("new\nline/\xc3\xa4 \xff.jpg");
  const ImageFolder folder = read_image_folder(scratch.path());
  EXPECT_EQ(folder.classes.at(0), "new\nline");
  EXPECT_EQ(folder.files.at(0).path, "new\nline/\xc3\xa4 \xff.jpg");
}

TEST(ImageFolder, FollowsLinks) {
  const ScratchFolder scratch;
  scratch.write("elsewhere/1.jpg", "12345");
  fs::create_directory(scratch.path() / "root");
  fs::create_directory_symlink(scratch.path() / "elsewhere", scratch.path() / "root/linked");
  fs::create_symlink(scratch.path() / "gone", scratch.path() / "elsewhere/2.jpg");
  const ImageFolder folder = read_image_folder(scratch.path() / "root");
  ASSERT_EQ(folder.files.size(), 2U);
  EXPECT_EQ(folder.files[0], (ImageFile{"linked/1.jpg", 5, 0}));
  EXPECT_EQ(folder.files[1], (ImageFile{"linked/2.jpg", 0, 0}));
}

TEST(ImageFolder, RefusesLinksThatGoRound) {
  const ScratchFolder scratch;
  scratch.write("c/1.jpg");
  fs::create_directory_symlink(scratch.path() / "c", scratch.path() / "c/again");
  EXPECT_PRED2(contains,
               complaint_of([&] { read_image_folder(scratch.path()); }),
               "leads back to a folder above it (a link closes a loop)");
}

TEST(ImageFolder, RefusesTreesThatAreTooDeep) {
  const ScratchFolder scratch;
  fs::path deep = "c";
  for (int i = 0; i < 40; ++i) {
    deep /= "d";
  }
  scratch.write(deep / "1.jpg");
  EXPECT_PRED2(contains, complaint_of([&] { read_image_folder(scratch.path()); }), "is too deep");
}

TEST(ImageFolder, DoesNotOpenAPipe) {
  const ScratchFolder scratch;
  scratch.write("c/1.jpg");
  ASSERT_EQ(mkfifo((scratch.path() / "c/pipe.jpg").c_str(), 0600), 0);
  const ImageFolder folder = read_image_folder(scratch.path());
  EXPECT_EQ(describe_skipped(folder), (std::vector<std::string>{"1 .jpg (not a file)"}));
}

TEST(ImageFolder, KeepsTheLabelOfAnEmptyClass) {
  const ScratchFolder scratch;
  scratch.write("b/1.jpg");
  fs::create_directory(scratch.path() / "a");
  EXPECT_EQ(read_image_folder(scratch.path()).files.at(0).label, 1);
}

TEST(ImageFolder, NamesWhatIsMissing) {
  const ScratchFolder scratch;
  const std::string root = scratch.path().string();
  EXPECT_EQ(complaint_of([&] { read_image_folder(scratch.path() / "none"); }),
            root + "/none: there is no such folder (it should contain one sub-folder per class)");
  EXPECT_EQ(complaint_of([&] { read_image_folder(scratch.path()); }),
            root + ": has no sub-folder (every sub-folder is a class)");
  scratch.write("1.jpg");
  EXPECT_PRED2(contains,
               complaint_of([&] { read_image_folder(scratch.path()); }),
               "1 JPEG file is directly in it) Move the images into one folder per class?");
  EXPECT_PRED2(contains,
               complaint_of([&] { read_image_folder(scratch.path() / "1.jpg"); }),
               "is not a folder");
  fs::create_directory(scratch.path() / "c");
  EXPECT_PRED2(contains,
               complaint_of([&] { read_image_folder(scratch.path()); }),
               "has no .jpg or .jpeg file (its sub-folders are empty)");
  scratch.write("c/1.png");
  EXPECT_PRED2(contains,
               complaint_of([&] { read_image_folder(scratch.path()); }),
               "has no .jpg or .jpeg file (found: 1 .png)");
}

TEST(ImageFolder, NamesAFolderThatCannotBeRead) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root reads every folder";
  }
  const ScratchFolder scratch;
  scratch.write("a/1.jpg");
  scratch.write("b/1.jpg");
  fs::permissions(scratch.path() / "b", fs::perms::none);
  EXPECT_EQ(complaint_of([&] { read_image_folder(scratch.path()); }),
            (scratch.path() / "b").string() + ": cannot be read (Permission denied)");
  fs::permissions(scratch.path() / "b", fs::perms::owner_all);
}

}  // namespace

}  // namespace tune::dataset
