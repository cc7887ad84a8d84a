#include "report/viewer/perfetto_address.h"

#include <gtest/gtest.h>

namespace tune::viewer {
namespace {

TEST(PerfettoAddress, IsThePageThatFetchesTheFile) {
  EXPECT_EQ(page_address(kPerfetto, kPerfettoPort, "trace.json.gz"),
            "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:9001/trace.json.gz");
}

TEST(PerfettoAddress, NamesNeedNoEscapingWhateverTheFileIsCalled) {
  EXPECT_EQ(address_name("resnet50.pt.trace.json.gz"), "resnet50.pt.trace.json.gz");
  EXPECT_EQ(address_name("a b&url=http://x#?%2e/\n\"'\xc3\xa4.json"),
            "a_b_url_http___x___2e______.json");
  EXPECT_EQ(address_name(".."), "trace.json");
  EXPECT_EQ(address_name(""), "trace.json");
  const std::string longest = address_name(std::string(300, 'x') + ".json");
  EXPECT_EQ(longest.size(), 120U);
  EXPECT_TRUE(longest.ends_with("x.json"));
}

TEST(PerfettoAddress, TakesAPerfettoOfOnesOwn) {
  EXPECT_EQ(viewer_address("http://tools.example:8080/perfetto/"),
            "http://tools.example:8080/perfetto");
  EXPECT_EQ(origin_of("http://tools.example:8080/perfetto"), "http://tools.example:8080");
  EXPECT_EQ(origin_of(kPerfetto), kPerfetto);
}

TEST(PerfettoAddress, ShowsARangeOfTheTracesOwnClock) {
  EXPECT_EQ(page_address(kPerfetto, 9001, "trace.json", VisibleRange{1'500'000, 2'500'000}),
            "https://ui.perfetto.dev/#!/?url=http://127.0.0.1:9001/trace.json"
            "&visStart=1500000&visEnd=2500000");
  EXPECT_EQ(page_address(kPerfetto, 9001, "trace.json").find("vis"), std::string::npos);
}

TEST(PerfettoAddress, RefusesWhatIsNone) {
  for (const char* const text : {"",
                                 "ui.perfetto.dev",
                                 "file:///etc/passwd",
                                 "https://",
                                 "https:///",
                                 "https://-x",
                                 "https://a b",
                                 "https://a\r\nSet-Cookie: b",
                                 "https://a;reboot"}) {
    EXPECT_FALSE(viewer_address(text)) << text;
  }
}

}  // namespace
}  // namespace tune::viewer
