#include "dataset/data_cache.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace tune::dataset {

namespace {

namespace fs = std::filesystem;

const GeneratedSpec kTiny = {.profile = "tiny", .samples = 12, .classes = 3, .seed = 0};

TEST(DataCache, ListsWhatWasMade) {
  const ScratchFolder cache;
  EXPECT_TRUE(list_sets(cache.path()).empty());
  const DataSet set = make_generated(kTiny, cache.path());
  GeneratedSpec later = kTiny;
  later.seed = 1;
  make_generated(later, cache.path());
  const auto sets = list_sets(cache.path());
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].name, set_name(kTiny));
  EXPECT_EQ(sets[0].spec, kTiny);
  EXPECT_EQ(sets[0].set.manifest_sha256, set.manifest_sha256);
  EXPECT_EQ(sets[0].problem, "");
  EXPECT_EQ(sets[1].spec.seed, 1U);
}

TEST(DataCache, NamesEveryDamage) {
  const ScratchFolder cache;
  const fs::path root = make_generated(kTiny, cache.path()).root;
  EXPECT_TRUE(check_set(root, CheckDepth::contents).empty());
  const auto path = [&](std::int64_t i) { return root / image_path(kTiny, i); };
  fs::remove(path(0));
  fs::resize_file(path(1), 5);
  std::string changed = slurp(path(2));
  changed.back() = static_cast<char>(changed.back() + 1);
  std::ofstream(path(2), std::ios::binary) << changed;
  fs::permissions(path(3), fs::perms::none);
  std::ofstream(root / "class-0000/new.jpg") << "x";
  fs::create_directory(root / "class-0003");
  const auto problems = check_set(root, CheckDepth::contents);
  ASSERT_EQ(problems.size(), 6U);
  EXPECT_EQ(problems[0], "class-0000/000000.jpg: is missing");
  EXPECT_EQ(problems[1], "class-0000/000003.jpg: is not readable");
  EXPECT_EQ(problems[2], "class-0000/new.jpg: does not belong to the set");
  EXPECT_PRED2(contains, problems[3], "class-0001/000001.jpg: has 5 bytes, should have 1");
  EXPECT_EQ(problems[4], "class-0002/000002.jpg: has other contents than when it was made");
  EXPECT_EQ(problems[5], "class-0003: does not belong to the set");
  EXPECT_EQ(check_set(root, CheckDepth::sizes).size(), 5U) << "contents are not read";
  EXPECT_EQ(list_sets(cache.path()).at(0).problem, problems[0]);
}

TEST(DataCache, NamesAMissingClass) {
  const ScratchFolder cache;
  GeneratedSpec sparse = kTiny;
  sparse.classes = 20;  // 12 samples: the last classes are empty, but keep the labels in place
  const fs::path root = make_generated(sparse, cache.path()).root;
  fs::remove(root / "class-0019");
  EXPECT_EQ(check_set(root, CheckDepth::sizes),
            std::vector<std::string>{"class-0019: the folder is missing"});
}

TEST(DataCache, NamesAManifestThatCannotBeRead) {
  const ScratchFolder cache;
  const fs::path root = make_generated(kTiny, cache.path()).root;
  fs::resize_file(root / kManifestName, 100);
  const auto problems = check_set(root, CheckDepth::sizes);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_PRED2(contains, problems[0], "manifest.txt:");
  EXPECT_PRED2(contains, problems[0], "ends in the middle of a line");
}

TEST(DataCache, RemovesOnlyItsOwnSets) {
  const ScratchFolder cache;
  const fs::path root = make_generated(kTiny, cache.path()).root;
  cache.write("data/mine/photo.jpg");
  cache.write("outside/manifest.txt");
  fs::create_directory_symlink(cache.path() / "outside", cache.path() / "data/link");
  EXPECT_PRED2(contains,
               complaint_of([&] { remove_set(cache.path(), "mine"); }),
               "is not deleted (it was not made by tune)");
  EXPECT_PRED2(contains, complaint_of([&] { remove_set(cache.path(), "link"); }), "is not deleted");
  for (const char* name : {"..", ".", "", "../outside", "tiny"}) {
    EXPECT_PRED2(contains,
                 complaint_of([&] { remove_set(cache.path(), name); }),
                 "there is no data set '" + std::string(name) + "'");
  }
  remove_set(cache.path(), set_name(kTiny));
  EXPECT_FALSE(fs::exists(root));
  EXPECT_TRUE(fs::exists(cache.path() / "data/mine/photo.jpg"));
  EXPECT_TRUE(fs::exists(cache.path() / "outside/manifest.txt"));
  EXPECT_TRUE(list_sets(cache.path()).empty());
}

}  // namespace

}  // namespace tune::dataset
