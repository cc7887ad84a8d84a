#include "dataset/manifest.h"

#include "dataset/draws.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>

namespace tune::dataset {

namespace {

Manifest example() {
  Manifest manifest;
  manifest.jpeg_version = "2.1.5";
  manifest.spec = {.profile = "faults", .samples = 3, .classes = 2, .seed = UINT64_MAX};
  manifest.files = {{10, std::string(64, 'a'), Fault::none},
                    {0, std::string(64, 'b'), Fault::empty},
                    {30, std::string(64, 'c'), Fault::unreadable}};
  return manifest;
}

std::string complaint_about(const std::string& text) {
  return complaint_of([&] { parse_manifest(text, "m"); });
}

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  return text.replace(text.find(old), old.size(), fresh);
}

TEST(Manifest, CanBeReadByPeopleAndReadBack) {
  const std::string text = to_text(example());
  EXPECT_EQ(text,
            "tune-data 1\ngenerator 1\nlibjpeg-turbo 2.1.5\nprofile faults\nsamples 3\nclasses 2\n"
            "seed 18446744073709551615\ncolumns bytes sha256 fault path\n10 " +
                std::string(64, 'a') + " - class-0000/000000.jpg\n0 " + std::string(64, 'b') +
                " empty class-0001/000001.jpg\n30 " + std::string(64, 'c') +
                " unreadable class-0000/000002.jpg\n");
  EXPECT_EQ(parse_manifest(text, "m"), example());
  EXPECT_EQ(total_bytes(example()), 40);
}

TEST(Manifest, NamesTheLineThatIsWrong) {
  const std::string text = to_text(example());
  EXPECT_PRED2(contains, complaint_about(""), "m:1: the manifest ends in the middle of a line");
  EXPECT_PRED2(contains, complaint_about("PNG\n"), "m:1: the manifest should begin with 'tune-d");
  EXPECT_PRED2(contains, complaint_about(replaced(text, "faults", "faulty")), "faults?");
  EXPECT_PRED2(contains,
               complaint_about(replaced(text, "samples 3", "samples 99999999")),
               "m:5: the manifest has no whole number where one is expected (at most 10000000)");
  EXPECT_PRED2(contains, complaint_about(replaced(text, "samples 3", "samples 4")), "names 3 of 4");
  EXPECT_PRED2(contains, complaint_about(replaced(text, "samples 3", "samples 2")), "continues");
  EXPECT_PRED2(contains, complaint_about(replaced(text, "\n10 ", "\n-1 ")), "m:9:");
  EXPECT_PRED2(contains, complaint_about(replaced(text, "aaa", "aaA")), "has no SHA-256");
  EXPECT_PRED2(contains, complaint_about(replaced(text, " empty", " full")), "m:10:");
}

TEST(Manifest, CannotPointOutsideItsFolder) {
  EXPECT_PRED2(contains,
               complaint_about(replaced(to_text(example()), "class-0001", "../../etc")),
               "m:10: the manifest should name class-0001/000001.jpg");
}

TEST(Manifest, SurvivesAnyDamage) {
  const std::string text = to_text(example());
  Draws draws(1);
  int refused = 0;
  constexpr int kTries = 20'000;
  for (int i = 0; i < kTries; ++i) {
    std::string damaged = text;
    for (int changes = draws.between(1, 4); changes > 0; --changes) {
      const auto at =
          static_cast<std::size_t>(draws.between(0, static_cast<int>(damaged.size()) - 1));
      switch (draws.between(0, 2)) {
        case 0:
          damaged[at] = static_cast<char>(draws.bits() & 0xFF);
          break;
        case 1:
          damaged.erase(at, damaged.size() > 1 ? 1 : 0);
          break;
        default:
          damaged.resize(at + 1);
      }
    }
    refused += complaint_about(damaged).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, kTries / 4);
}

}  // namespace

}  // namespace tune::dataset
