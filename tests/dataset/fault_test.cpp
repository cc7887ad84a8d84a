#include "dataset/fault.h"

#include "dataset/generated_image.h"
#include "decoded_jpeg.h"

#include <gtest/gtest.h>

#include <map>

namespace tune::dataset {

namespace {

const GeneratedSpec kSpec = {.profile = "faults", .samples = 64, .classes = 4, .seed = 3};

// One image of every fault.
const std::map<Fault, GeneratedImage>& examples() {
  static const auto all = [] {
    std::map<Fault, GeneratedImage> images;
    for (int i = 0; i < 64; ++i) {
      images.try_emplace(fault_of(i), generate_image(kSpec, i));
    }
    return images;
  }();
  return all;
}

DecodedJpeg decoded(Fault fault) {
  return decode_jpeg(examples().at(fault).bytes, Read::all);
}

TEST(Fault, PlacesAreKnownAndRepeat) {
  std::map<Fault, int> counts;
  for (int i = 0; i < 64; ++i) {
    ++counts[fault_of(i)];
    EXPECT_EQ(fault_of(i), fault_of(i + 640));
    EXPECT_TRUE(i % 4 == 3 || fault_of(i) == Fault::none);
  }
  EXPECT_EQ(counts.size(), 13U);
  EXPECT_EQ(counts[Fault::none], 51);
  EXPECT_EQ(counts[Fault::progressive], 2);
  EXPECT_EQ(plan_image(kSpec, 11).fault, Fault::empty);
  EXPECT_EQ(plan_image({.profile = "imagenet"}, 11).fault, Fault::none);
}

TEST(Fault, WordsCanBeReadBack) {
  for (const auto& [fault, image] : examples()) {
    EXPECT_EQ(parse_fault(to_text(fault)), fault);
  }
  EXPECT_EQ(parse_fault("?"), std::nullopt);
}

TEST(Fault, TruncatedFilesLoseTheirEnd) {
  for (const Fault fault : {Fault::truncated_10, Fault::truncated_50, Fault::truncated_99}) {
    const DecodedJpeg image = decoded(fault);
    EXPECT_TRUE(image.warnings > 0 || !image.error.empty()) << to_text(fault);
  }
  // Only the end is missing: the size is that of a whole file, so only a warning shows the
  // difference.
  EXPECT_GT(examples().at(Fault::truncated_99).bytes.size(), 2000U);
  EXPECT_EQ(decoded(Fault::truncated_99).error, "");
  EXPECT_GT(decoded(Fault::truncated_99).warnings, 0);
}

TEST(Fault, SomeFilesAreNoJpegAtAll) {
  EXPECT_EQ(examples().at(Fault::empty).bytes, "");
  EXPECT_NE(decoded(Fault::random_bytes).error, "");
  EXPECT_GT(examples().at(Fault::random_bytes).bytes.size(), 1000U);
  EXPECT_TRUE(examples().at(Fault::png).bytes.starts_with("\x89PNG\r\n"));
  EXPECT_NE(decoded(Fault::png).error, "");
}

TEST(Fault, HugeHeaderSaysTwentyThousandPixels) {
  const std::string& bytes = examples().at(Fault::huge_header).bytes;
  const DecodedJpeg header = decode_jpeg(bytes, Read::header);
  EXPECT_EQ(header.error, "");
  EXPECT_EQ(header.width, 20'000);
  EXPECT_EQ(header.height, 20'000);
  EXPECT_LT(bytes.size(), 200'000U);
}

TEST(Fault, UnusualFilesDecode) {
  for (const auto& [fault, image] : examples()) {
    if (is_broken(fault) && fault != Fault::unreadable) {
      continue;
    }
    const DecodedJpeg picture = decoded(fault);
    EXPECT_EQ(picture.error, "") << to_text(fault);
    EXPECT_EQ(picture.warnings, 0) << to_text(fault);
    EXPECT_EQ(picture.components, fault == Fault::cmyk ? 4 : fault == Fault::grey ? 1 : 3);
    EXPECT_EQ(picture.is_progressive, fault == Fault::progressive);
    EXPECT_EQ(picture.orientation, fault == Fault::exif_rotated ? 6 : 0);
  }
}

}  // namespace

}  // namespace tune::dataset
