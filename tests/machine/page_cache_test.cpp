#include "machine/page_cache.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace tune::machine {
namespace {

namespace fs = std::filesystem;

class PageCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    for (int i = 0; i < 4; ++i) {
      paths_.push_back(folder_ / std::to_string(i));
      std::ofstream(paths_.back()) << std::string(100'000, 'x');
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::optional<double> ratio() const {
    return resident_ratio(static_cast<std::int64_t>(paths_.size()), [this](std::int64_t index) {
      return paths_[static_cast<std::size_t>(index)];
    });
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("tune-page-cache-" + std::to_string(getpid()));
  std::vector<fs::path> paths_;
};

TEST_F(PageCacheTest, FilesJustWrittenAreThereAndForgottenOnesAreNot) {
  EXPECT_DOUBLE_EQ(ratio().value_or(-1), 1);
  drop_from_page_cache(paths_[0]);
  if (ratio() == 1) {
    GTEST_SKIP() << "this file system keeps everything in memory";
  }
  EXPECT_DOUBLE_EQ(ratio().value_or(-1), 0.75);
  for (const fs::path& path : paths_) {
    drop_from_page_cache(path);
  }
  EXPECT_DOUBLE_EQ(ratio().value_or(-1), 0);
  for (const fs::path& path : paths_) {
    read_into_page_cache(path);
  }
  EXPECT_DOUBLE_EQ(ratio().value_or(-1), 1);
}

TEST_F(PageCacheTest, DropsAndReadsNothingWhereThereIsNoFile) {
  for (const fs::path& path : {folder_, folder_ / "gone", fs::path("/dev/null")}) {
    drop_from_page_cache(path);
    read_into_page_cache(path);
  }
  EXPECT_TRUE(ratio().has_value());
}

TEST_F(PageCacheTest, IsUnknownWhereThereIsNothingToLookAt) {
  EXPECT_EQ(resident_ratio(0, [](std::int64_t) { return fs::path(); }), std::nullopt);
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  paths_ = {folder_ / "pipe", folder_ / "gone", folder_};
  EXPECT_EQ(ratio(), std::nullopt);
}

TEST_F(PageCacheTest, LooksAtAFewFilesSpreadOverAll) {
  std::vector<std::int64_t> asked;
  resident_ratio(1'000'000, [&](std::int64_t index) {
    asked.push_back(index);
    return paths_.front();
  });
  ASSERT_FALSE(asked.empty());
  EXPECT_LE(asked.size(), 200U);
  EXPECT_EQ(asked.front(), 0);
  EXPECT_LT(asked.back(), 1'000'000);
  if (asked.size() == 200) {  // else the machine was too busy and time ran out
    EXPECT_EQ(asked.back(), 995'000);
  }
}

}  // namespace
}  // namespace tune::machine
