#include "machine/probe/decode_cost.h"

#include "dataset/generated_image.h"

#include <gtest/gtest.h>

namespace tune::probe {

namespace {

std::span<const unsigned char> bytes_of(const std::string& text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

TEST(JpegPixels, DecodesOneImageAfterTheOther) {
  const dataset::GeneratedSpec spec{.profile = "tiny", .samples = 10, .classes = 2};
  JpegPixels decoder;
  for (int i = 0; i < 3; ++i) {
    const auto image = dataset::generate_image(spec, i);
    EXPECT_EQ(decoder.decode(bytes_of(image.bytes)),
              static_cast<std::int64_t>(image.plan.width) * image.plan.height);
  }
}

TEST(JpegPixels, SurvivesWhatIsNoJpeg) {
  JpegPixels decoder;
  EXPECT_EQ(decoder.decode({}), 0);
  EXPECT_EQ(decoder.decode(bytes_of("not a picture")), 0);
  const dataset::GeneratedSpec spec{.profile = "tiny", .samples = 10, .classes = 2};
  const std::string whole = dataset::generate_image(spec, 0).bytes;
  (void)decoder.decode(bytes_of(whole.substr(0, 20)));
  EXPECT_GT(decoder.decode(bytes_of(whole)), 0) << "and continues";
}

}  // namespace

}  // namespace tune::probe
