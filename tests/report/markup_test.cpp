#include "report/markup.h"

#include "report/page_shell.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

TEST(Markup, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(printable("a\x1b\x01z\x7f"), "a\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD");
  EXPECT_EQ(printable("tab\tand\nline\r\n"), "tab\tand\nline\n");
  EXPECT_EQ(printable("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xb5"),
            "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xb5");
  for (const char* broken : {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_TRUE(printable(broken).starts_with("\xEF\xBF\xBD")) << broken;
  }
}

TEST(Markup, EscapesInTextAndAttributes) {
  Markup html;
  html.leaf("p", "<&>\"'", {{"title", "\"<'&"}});
  EXPECT_EQ(html.finished(), "<p title=\"&quot;&lt;&#39;&amp;\">&lt;&amp;&gt;&quot;&#39;</p>");
}

TEST(Markup, ShortensByCharactersNotBytes) {
  EXPECT_EQ(shortened("\xc3\xa4\xc3\xb6\xc3\xbc", 2), "\xc3\xa4\xc3\xb6...");
  EXPECT_EQ(shortened("abc", 3), "abc");
}

TEST(PageShell, FillsEachPlaceholderOnce) {
  EXPECT_EQ(fill_shell("a{{x}}b{{y}}", {{"x", "{{y}}"}, {"y", "2"}}), "a{{y}}b2");
}

}  // namespace
}  // namespace tune::report
