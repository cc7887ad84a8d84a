#include "worker/data/jpeg_decoder.h"

#include "worker/data/file_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace tune::worker {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Mode = JpegDecoder::Mode;

Bytes golden(const std::string& name) {
  FileBytes file;
  EXPECT_EQ(file.read(SOURCE_DIR "/tests/worker/data_golden/" + name + ".jpg"), "");
  return {file.bytes().begin(), file.bytes().end()};
}

// What is wrong with the file, when all of it or its lower right quarter is decoded.
std::string problem_of(const Bytes& bytes, Mode mode) {
  JpegDecoder decoder;
  if (std::string problem = decoder.open(bytes); !problem.empty()) {
    return problem;
  }
  const FrameSize frame = decoder.frame();
  const Crop crop =
      mode == Mode::full
          ? Crop{0, 0, frame.width, frame.height}
          : Crop{frame.width / 2, frame.height / 2, (frame.width + 1) / 2, (frame.height + 1) / 2};
  Pixels pixels;
  std::string problem = decoder.decode(crop, 16, mode, pixels);
  if (problem.empty()) {  // the sanitizer checks that all of it can be read
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < pixels.size.width * pixels.size.height * 3; ++i) {
      sum += pixels.data[i];
    }
    EXPECT_LE(sum, 255U * 3U * static_cast<std::uint64_t>(pixels.size.width * pixels.size.height));
  }
  return problem;
}

TEST(JpegDecoder, AWholeFileIsFine) {
  for (const std::string name :
       {"colour-420", "colour-422", "colour-444", "grey", "cmyk", "progressive", "enlarged"}) {
    for (const Mode mode : {Mode::full, Mode::roi, Mode::roi_scaled}) {
      EXPECT_EQ(problem_of(golden(name), mode), "") << name;
    }
  }
}

TEST(JpegDecoder, ATruncatedFileSaysWhereItEnds) {
  for (const std::string name : {"colour-420", "progressive"}) {
    Bytes bytes = golden(name);
    bytes.resize(bytes.size() - 40);
    for (const Mode mode : {Mode::full, Mode::roi, Mode::roi_scaled}) {
      EXPECT_EQ(problem_of(bytes, mode),
                "Premature end of JPEG file at byte " + std::to_string(bytes.size()))
          << name;
    }
  }
}

TEST(JpegDecoder, DamageInTheMiddleSaysWhere) {
  Bytes bytes = golden("colour-444");
  const std::size_t middle = bytes.size() * 3 / 4;
  bytes[middle] = 0xff;  // a marker that does not belong there
  bytes[middle + 1] = 0xd5;
  const std::string problem = problem_of(bytes, Mode::full);
  const std::size_t near = problem.find(" near byte ");
  ASSERT_NE(near, std::string::npos) << problem;
  EXPECT_TRUE(problem.ends_with(" of " + std::to_string(bytes.size()))) << problem;
  const double at = std::stod(problem.substr(near + 11));
  EXPECT_NEAR(at, static_cast<double>(middle), 300) << problem;
}

bool says_it_is_large(const Bytes& bytes) {
  JpegDecoder decoder;
  return decoder.open(bytes).empty() && decoder.frame().width * decoder.frame().height > 1'000'000;
}

// Fixed seeds, so that a failure is reproducible. Under the sanitizers reading one byte too many
// ends the test.
TEST(JpegDecoder, NothingInAFileMakesItCrashOrThrow) {
  std::mt19937_64 bits(7);
  int broken = 0;
  constexpr int kTimes = 400;
  for (const std::string name : {"colour-420", "colour-422", "grey", "cmyk", "progressive"}) {
    const Bytes whole = golden(name);
    for (int i = 0; i < kTimes; ++i) {
      Bytes bytes = whole;
      for (std::uint64_t change = 0; change <= bits() % 4; ++change) {
        bytes[bits() % bytes.size()] = static_cast<std::uint8_t>(bits());
      }
      if (i % 5 == 0) {
        bytes.resize(bits() % bytes.size());
      }
      if (says_it_is_large(bytes)) {
        continue;  // takes its time, and nothing else
      }
      for (const Mode mode : {Mode::full, Mode::roi, Mode::roi_scaled}) {
        broken += problem_of(bytes, mode).empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(broken, kTimes);
}

}  // namespace
}  // namespace tune::worker
