#include "cli/terminal.h"

#include "../report/hostile_words.h"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace tune::cli {

namespace {

TEST(TerminalText, KeepsWhatIsMeant) {
  const std::string text = "warning: a::b, c:: d\n  std::bad_alloc \xe2\x9c\x93\n## Heading\n";
  EXPECT_EQ(terminal_text(text), text);
  const Terminal terminal{.has_color = true};
  for (const auto paint : {bold, dim, green, yellow}) {
    EXPECT_EQ(terminal_text(paint(terminal, "x")), paint(terminal, "x"));
  }
  EXPECT_EQ(terminal_text("a,b\r\n"), "a,b\r\n");
}

TEST(TerminalText, EscapesWhatATerminalObeys) {
  EXPECT_EQ(terminal_text("\x1b[31mred\x1b[2J"), "\\u001b[31mred\\u001b[2J");
  EXPECT_EQ(terminal_text("over\rwritten"), "over\\u000dwritten");
  EXPECT_EQ(terminal_text("\xe2\x80\xae"
                          "cba"),
            "\\u202ecba");
}

TEST(TerminalText, BreaksCommandsOfCiRunners) {
  EXPECT_EQ(terminal_text("::error::x"), ":\\u003aerror::x");
  EXPECT_EQ(terminal_text("a\n \t\xc2\xa0::error::x"), "a\n \t\xc2\xa0:\\u003aerror::x");
  EXPECT_EQ(terminal_text("a ##[error]b ##vso[c"), "a ##\\u005berror]b ##vso\\u005bc");
}

TEST(TerminalText, NoWidthMakesACommandOfHostileWords) {
  for (std::size_t width = 40; width < 140; width += 3) {
    for (const char* const head : {"", "  ", "failed: "}) {
      const std::string text = terminal_text(wrapped(head, report::hostile_words(), width));
      EXPECT_EQ(report::obeyed_character(text), "") << width;
      EXPECT_EQ(report::command_line(text), "") << width;
    }
  }
}

TEST(TerminalText, APieceGoesOnWhereTheLastOneEnded) {
  TerminalText text;
  std::string all;
  for (const char* const piece : {"a ", "::b\n", ":", ":c"}) {
    all += text.add(piece);
  }
  EXPECT_EQ(all, "a ::b\n:\\u003ac");
}

TEST(SafeStreams, EveryStreamIsSafeAndWhatIsMeantGoesThrough) {
  std::ostringstream out;
  std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
  {
    const SafeStreams streams;
    std::cout << "::error::" << '\x1b' << 12 << "\n" << std::flush;
    write_unchanged(std::cout, "::notice::x\n");
  }
  std::cout.rdbuf(before);
  EXPECT_EQ(out.str(), ":\\u003aerror::\\u001b12\n::notice::x\n");
}

}  // namespace

}  // namespace tune::cli
