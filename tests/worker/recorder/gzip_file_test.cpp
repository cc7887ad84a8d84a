#include "worker/recorder/gzip_file.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/resource.h>
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
  EXPECT_FALSE(fs::exists(path)) << "it appears when it is complete";
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

// A limit on the size of files simulates a disk that becomes full while writing.
TEST(GzipFile, ADiskThatBecomesFullLeavesNothingAndIsNamed) {
  const fs::path folder = fresh_folder();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 64 << 10;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string said;
  std::int64_t given = 0;
  {
    GzipFile file(folder / "trace.json.gz");
    std::uint64_t state = 1;
    try {
      for (; given < (8 << 20); given += 4096) {
        std::string text(4096, '0');
        for (char& c : text) {  // incompressible data
          state = state * 6364136223846793005U + 1442695040888963407U;
          c = static_cast<char>(state >> 56U);
        }
        file.write(text);
      }
      file.finish();
    } catch (const Error& error) {
      said = error.what();
    }
  }
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, (folder / "trace.json.gz").string() + ": cannot be written (File too large)");
  EXPECT_GT(given, 32 << 10) << "in the middle";
  EXPECT_TRUE(fs::is_empty(folder));
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
