#include "trace/reader/mend.h"

#include <gtest/gtest.h>

namespace tune::profile {
namespace {

TEST(Mend, LeavesGoodJsonAsItIs) {
  const std::string good = R"({"a":[1,-2.5e3,true,null,"x\"\u00e9"],"b":{},"c":"é"})";
  const Mended mended = mend(good + "  tail", false);
  EXPECT_EQ(mended.outcome, Mended::Outcome::done);
  EXPECT_EQ(mended.json, good);
  EXPECT_EQ(mended.used, good.size());
  EXPECT_TRUE(mended.repairs.empty());
}

TEST(Mend, PutsRightWhatJsonDoesNotKnow) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"a": nan, "b": -inf})", R"({"a":null,"b":null})"},
      {R"({"a": N/A})", R"({"a":null})"},
      {R"({"a": 007})", R"({"a":null})"},
      {"{\"a\": \"x\ny\"}", R"({"a":"x\u000ay"})"},
      {"{\"a\": \"\xc3\"}", "{\"a\":\"\xef\xbf\xbd\"}"},
      {R"({"a": "\q"})", R"({"a":"\\q"})"},
      {R"x({"name": "f("x")", "b": 1})x", R"x({"name":"f(\"x\")","b":1})x"},
      {R"({"name": "a", "b" c", "d": 1})", R"({"name":"a\", \"b\" c","d":1})"},
      {R"({"a": 1,, "b": 2,})", R"({"a":1,"b":2})"},
      {R"(["x" y", "z"])", R"(["x\" y","z"])"},
      {R"({"a": })", R"({"a":null})"}};
  for (const auto& [bad, good] : cases) {
    const Mended mended = mend(bad, true);
    EXPECT_EQ(mended.outcome, Mended::Outcome::done) << bad;
    EXPECT_EQ(mended.json, good) << bad;
  }
}

TEST(Mend, AsksForMoreAndGivesUp) {
  const std::string text = R"({"name": "a "b" c", "d": [1, 2]})";
  for (std::size_t length = 1; length < text.size(); ++length) {
    EXPECT_EQ(mend(text.substr(0, length), false).outcome, Mended::Outcome::more) << length;
  }
  EXPECT_EQ(mend("{]", true).outcome, Mended::Outcome::hopeless);
  EXPECT_EQ(mend("{a: 1}", true).outcome, Mended::Outcome::hopeless);
  EXPECT_EQ(mend(std::string(100, '['), true).outcome, Mended::Outcome::too_deep);
}

}  // namespace
}  // namespace tune::profile
