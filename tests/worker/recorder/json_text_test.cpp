#include "worker/recorder/json_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune::worker {
namespace {

std::string json(std::string_view text) {
  std::string written;
  append_json(written, text);
  return written;
}

std::string us(std::int64_t ns) {
  std::string written;
  append_us(written, ns);
  return written;
}

TEST(JsonText, EscapesWhatJsonDoesNotTakeAsItIs) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("aten::mm"), R"("aten::mm")");
  EXPECT_EQ(json("a \"b\" \\ c"), R"("a \"b\" \\ c")");
  EXPECT_EQ(json("\n\t\x01\x1f\x7f"), R"("\u000a\u0009\u0001\u001f\u007f")");
  EXPECT_EQ(json(std::string_view("a\0b", 3)), R"("a\u0000b")");
}

TEST(JsonText, KeepsEveryCharacterThatIsUtf8) {
  for (const char* text : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xef\xbf\xbf"}) {
    EXPECT_EQ(json(text), "\"" + std::string(text) + "\"");
  }
}

TEST(JsonText, ReplacesEachByteThatIsNoUtf8) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(json("\xff"), "\"" + bad + "\"");
  EXPECT_EQ(json("a\xc3"), "\"a" + bad + "\"") << "cut off";
  EXPECT_EQ(json("\xc0\xaf"), "\"" + bad + bad + "\"") << "longer than needed";
  EXPECT_EQ(json("\xed\xa0\x80"), "\"" + bad + bad + bad + "\"") << "half of a pair";
  EXPECT_EQ(json("\xf4\x90\x80\x80"), "\"" + bad + bad + bad + bad + "\"") << "beyond Unicode";
  EXPECT_EQ(json("\xe2\x82x"), "\"" + bad + bad + "x\"");
}

TEST(JsonText, WritesEveryNanosecond) {
  EXPECT_EQ(us(0), "0.000");
  EXPECT_EQ(us(1), "0.001");
  EXPECT_EQ(us(999), "0.999");
  EXPECT_EQ(us(1'000), "1.000");
  EXPECT_EQ(us(1'234'567), "1234.567");
  EXPECT_EQ(us(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
}

}  // namespace
}  // namespace tune::worker
