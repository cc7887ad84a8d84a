#include "dataset/generated_image.h"

#include "base/sha256.h"
#include "decoded_jpeg.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

namespace tune::dataset {

namespace {

GeneratedSpec spec_of(const std::string& profile, std::int64_t classes = 10) {
  return {.profile = profile, .samples = 1000, .classes = classes, .seed = 0};
}

TEST(GeneratedImage, DependsOnProfileSeedAndIndexOnly) {
  const GeneratedSpec spec = spec_of("tiny");
  const std::string bytes = generate_image(spec, 7).bytes;
  EXPECT_EQ(generate_image(spec, 7).bytes, bytes);
  GeneratedSpec more = spec;
  more.samples = 8;
  EXPECT_EQ(generate_image(more, 7).bytes, bytes);
  EXPECT_NE(generate_image(spec, 17).bytes, bytes);
  GeneratedSpec other = spec;
  other.seed = 1;
  EXPECT_NE(generate_image(other, 7).bytes, bytes);
}

TEST(GeneratedImage, HasTheSameBytesOnEveryMachine) {
  if (jpeg_version() != "2.1.5") {
    GTEST_SKIP() << "the hashes are of libjpeg-turbo 2.1.5, this is " << jpeg_version();
  }
  const auto hash_of = [](const std::string& profile, std::int64_t count) {
    std::string all;
    for (std::int64_t i = 0; i < count; ++i) {
      all += generate_image(spec_of(profile), i).bytes;
    }
    return sha256_hex(all);
  };
  EXPECT_EQ(kGeneratorVersion, 1) << "raise it when these hashes change";
  EXPECT_EQ(hash_of("tiny", 20),
            "a661405bd0b9fe741de7f3b3d4740b89b933ceedd1a6f08c449f413d9b043618");
  EXPECT_EQ(hash_of("imagenet", 6),
            "f122f661bf8f1bb333048ad14b2373dd5d05faeb75fce3b168816b80e0559d53");
  EXPECT_EQ(hash_of("faults", 64),
            "f47f141134798b5ddf717fb303adc5c22204e82bc0927478921d8f98503e4223");
}

TEST(GeneratedImage, OfImagenetHasItsSizesAndDensity) {
  const GeneratedSpec spec = spec_of("imagenet");
  constexpr int kImages = 60;
  double ratios = 0;
  int most_usual = 0;
  int near_target = 0;
  int without_subsampling = 0;
  for (int i = 0; i < kImages; ++i) {
    const GeneratedImage image = generate_image(spec, i);
    const DecodedJpeg header = decode_jpeg(image.bytes, Read::header);
    ASSERT_EQ(header.error, "");
    EXPECT_EQ(header.width, image.plan.width);
    EXPECT_EQ(header.height, image.plan.height);
    const double bytes = static_cast<double>(image.bytes.size());
    ratios += bytes / (static_cast<double>(header.width) * header.height);
    near_target +=
        std::abs(bytes / static_cast<double>(image.plan.target_bytes) - 1) < 0.03 ? 1 : 0;
    most_usual += header.width == 500 && header.height == 375 ? 1 : 0;
    without_subsampling += image.plan.subsampling == Subsampling::none_444 ? 1 : 0;
    EXPECT_LE(image.encodes, 5);
  }
  EXPECT_NEAR(ratios / kImages, 0.57, 0.1);
  EXPECT_GE(near_target, kImages * 9 / 10);
  EXPECT_NEAR(most_usual, kImages / 2, 12);
  EXPECT_NEAR(without_subsampling, kImages / 4, 10);
}

TEST(GeneratedImage, PlansFollowTheTableOfSizes) {
  const GeneratedSpec spec = spec_of("imagenet");
  std::map<std::pair<int, int>, int> counts;
  double pixels = 0;
  double bytes = 0;
  constexpr int kPlans = 5000;
  for (int i = 0; i < kPlans; ++i) {
    const ImagePlan plan = plan_image(spec, i);
    ++counts[{plan.width, plan.height}];
    pixels += static_cast<double>(plan.width) * plan.height / kPlans;
    bytes += static_cast<double>(plan.target_bytes) / kPlans;
    ASSERT_GE(std::min(plan.width, plan.height), 90);
    ASSERT_LE(std::max(plan.width, plan.height), 2000);
    ASSERT_GE(plan.quality, 85);
    ASSERT_LE(plan.quality, 96);
  }
  EXPECT_NEAR((counts[{500, 375}]), 2500, 150);
  EXPECT_NEAR((counts[{375, 500}]), 600, 100);
  EXPECT_NEAR((counts[{500, 333}]), 600, 100);
  EXPECT_NEAR((counts[{333, 500}]), 300, 70);
  EXPECT_NEAR((counts[{500, 500}]), 250, 70);
  EXPECT_NEAR(pixels, 188'000, 10'000);
  EXPECT_NEAR(bytes, 107'000, 6'000);
}

TEST(GeneratedImage, OfTinyIsThirtyTwoPixelsAndTwelveHundredBytes) {
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const GeneratedImage image = generate_image(spec_of("tiny"), i);
    const DecodedJpeg decoded = decode_jpeg(image.bytes, Read::all);
    ASSERT_EQ(decoded.error, "");
    EXPECT_EQ(decoded.warnings, 0);
    EXPECT_EQ(decoded.width, 32);
    EXPECT_EQ(decoded.height, 32);
    sum += static_cast<double>(image.bytes.size());
  }
  EXPECT_NEAR(sum / 100, 1200, 60);
}

// Mean blue and red chroma of an image.
std::array<double, 2> chroma_of(const GeneratedImage& image) {
  const DecodedJpeg decoded = decode_jpeg(image.bytes, Read::all);
  std::array<double, 2> mean{};
  const std::size_t count = decoded.pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    mean[0] += static_cast<double>(decoded.pixels[3 * i + 1]) / static_cast<double>(count);
    mean[1] += static_cast<double>(decoded.pixels[3 * i + 2]) / static_cast<double>(count);
  }
  return mean;
}

double distance(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

TEST(GeneratedImage, ShowsItsClassByHue) {
  constexpr std::size_t kClasses = 5;
  constexpr std::size_t kImages = 100;
  std::vector<std::array<double, 2>> chroma;
  std::array<std::array<double, 2>, kClasses> centre{};
  for (std::size_t i = 0; i < kImages; ++i) {
    chroma.push_back(
        chroma_of(generate_image(spec_of("tiny", kClasses), static_cast<std::int64_t>(i))));
    for (std::size_t c = 0; c < 2; ++c) {
      centre.at(i % kClasses).at(c) += chroma.back().at(c) * kClasses / kImages;
    }
  }
  int right = 0;
  for (std::size_t i = 0; i < kImages; ++i) {
    std::size_t nearest = 0;
    for (std::size_t label = 1; label < kClasses; ++label) {
      if (distance(chroma.at(i), centre.at(label)) < distance(chroma.at(i), centre.at(nearest))) {
        nearest = label;
      }
    }
    right += nearest == i % kClasses ? 1 : 0;
  }
  EXPECT_GE(right, 90);
}

}  // namespace

}  // namespace tune::dataset
