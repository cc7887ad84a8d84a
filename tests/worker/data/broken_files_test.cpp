#include "worker/data/broken_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;

/// A set of images in the test's own folder, checked without a time limit.
class Set {
 public:
  Set() {
    std::string name = testing::TempDir() + "/broken_XXXXXX";
    samples_.folder.root = mkdtemp(name.data());
    samples_.patience_ns = 60'000'000'000;
  }
  ~Set() {
    std::error_code ignored;
    fs::remove_all(samples_.folder.root, ignored);
  }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

  void add(const std::string& name, const std::string& bytes) {
    std::ofstream(samples_.folder.root / name, std::ios::binary) << bytes;
    samples_.folder.files.push_back({name, static_cast<std::int64_t>(bytes.size()), 0});
  }
  ImageSamples& samples() { return samples_; }

 private:
  ImageSamples samples_;
};

std::string whole_jpeg() {
  std::ifstream file(SOURCE_DIR "/tests/worker/data_golden/colour-444.jpg", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Half of its pixels are missing, but it ends like a complete file.
std::string damaged_inside() {
  std::string bytes = whole_jpeg();
  const std::size_t half = bytes.size() / 2;
  return bytes.substr(0, half) + bytes.substr(bytes.size() - 2);
}

TEST(BrokenFiles, AreNamedAllAtOnce) {
  Set set;
  set.add("whole.jpg", whole_jpeg());
  set.add("empty.jpg", "");
  set.add("png.jpg", "\x89PNG and more");
  set.add("cut.jpg", whole_jpeg().substr(0, 500));
  set.add("inside.jpg", damaged_inside());
  FaultLog log(set.samples());
  std::string message;
  try {
    log.deliver(1, {{.path = "png.jpg", .problem = "is a PNG", .treatment = "fail"}});
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_TRUE(message.starts_with(set.samples().folder.root.string() +
                                  ": 4 of 5 files cannot be used: cut.jpg: "))
      << message;
  EXPECT_NE(message.find("; empty.jpg: 0 bytes; inside.jpg: "), std::string::npos) << message;
  EXPECT_NE(message.find("; png.jpg: is a PNG (data.on_error is fail) data.on_error: replace?"),
            std::string::npos)
      << message;
}

TEST(BrokenFiles, OneAloneIsNamedByItsWholePath) {
  Set set;
  set.add("whole.jpg", whole_jpeg());
  set.add("empty.jpg", "");
  const BrokenFiles broken = find_broken_files(set.samples(), {});
  EXPECT_EQ(refusal_text(set.samples(), broken),
            (set.samples().folder.root / "empty.jpg").string() +
                ": 0 bytes (data.on_error is fail) data.on_error: replace?");
}

TEST(BrokenFiles, SaysSoWhenTimeIsShort) {
  Set set;
  set.add("whole.jpg", whole_jpeg());
  set.add("empty.jpg", "");
  set.samples().patience_ns = 0;
  const BrokenFiles broken = find_broken_files(set.samples(), {{"png.jpg", "is a PNG"}});
  EXPECT_EQ(broken.problems.size(), 1U);
  EXPECT_EQ(broken.unseen, 2);
  EXPECT_NE(refusal_text(set.samples(), broken).find("no time to check 2 files completely"),
            std::string::npos);
}

std::map<std::string, std::string> empty_files(int count) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < count; ++i) {
    files.emplace("class/photo_" + std::to_string(1000 + i) + ".jpg", "0 bytes");
  }
  return files;
}

TEST(BrokenFiles, AHundredAreNamedAtOnce) {
  const std::string text = broken_files_text(empty_files(100));
  EXPECT_TRUE(text.ends_with("; class/photo_1099.jpg: 0 bytes")) << text;
}

TEST(BrokenFiles, MoreThanALedgerHasRoomForAreCounted) {
  const std::string text = broken_files_text(empty_files(1000));
  EXPECT_TRUE(text.starts_with("class/photo_1000.jpg: 0 bytes; class/photo_1001.jpg: 0 bytes; "))
      << text;
  const auto named = std::count(text.begin(), text.end(), ';') + 1;
  EXPECT_GT(named, 100);
  EXPECT_TRUE(text.ends_with(" and " + std::to_string(1000 - named) + " more")) << text;
  EXPECT_LT(text.size(), 5000U);
}

TEST(BrokenFiles, OneOfALongNameIsNamed) {
  const std::string path(5000, 'x');
  EXPECT_EQ(broken_files_text({{path, "0 bytes"}, {"y", "0 bytes"}}),
            path + ": 0 bytes and 1 more");
}

}  // namespace
}  // namespace tune::worker
