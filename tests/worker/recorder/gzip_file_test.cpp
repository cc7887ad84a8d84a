#include "worker/recorder/gzip_file.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <zlib.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("tune-gzip-") + test->name());
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::string unpacked(const fs::path& file) {
  std::string text(16 << 20, '\0');
  gzFile in = gzopen(file.c_str(), "rb");
  const int got = gzread(in, text.data(), static_cast<unsigned>(text.size()));
  gzclose(in);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

TEST(GzipFile, HoldsWhatWasWrittenAndTellsItsSizes) {
  const fs::path path = fresh_folder() / "trace.json.gz";
  std::string text;
  for (int i = 0; i < 200'000; ++i) {
    text += std::to_string(i * 7919 % 100'003) + ",";
  }
  GzipFile file(path);
  file.write(text.substr(0, 10));
  file.write("");
  file.write(text.substr(10));
  EXPECT_EQ(file.text_bytes(), static_cast<std::int64_t>(text.size()));
  EXPECT_FALSE(fs::exists(path)) << "it appears when it is whole";
  const std::int64_t bytes = file.finish();
  EXPECT_EQ(static_cast<std::uintmax_t>(bytes), fs::file_size(path));
  EXPECT_LT(bytes, file.text_bytes());
  EXPECT_EQ(unpacked(path), text);
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST(GzipFile, LeavesNothingBehindWhenItIsNotFinished) {
  const fs::path folder = fresh_folder();
  {
    GzipFile file(folder / "trace.json.gz");
    file.write("{");
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(GzipFile, SaysWhyItCannotBeWritten) {
  const fs::path path = fresh_folder() / "missing" / "trace.json.gz";
  try {
    const GzipFile file(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              path.string() + ": cannot be written (No such file or directory)");
  }
}

TEST(GzipFile, KeepsNothingWhereItCannotTakeItsName) {
  const fs::path folder = fresh_folder();
  fs::create_directories(folder / "trace.json.gz");
  GzipFile file(folder / "trace.json.gz");
  file.write("{}");
  EXPECT_THROW(file.finish(), Error);
  EXPECT_FALSE(fs::exists(folder / "trace.json.gz.tmp"));
}

}  // namespace
}  // namespace tune::worker
