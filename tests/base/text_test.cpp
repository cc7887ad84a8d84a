#include "base/text.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace tune {

namespace {

TEST(Printable, KeepsWhatIsShown) {
  for (const char* text :
       {"a\tb\nc", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x8e\xb5", "\xd7\x9e\xd8\xa7"}) {
    EXPECT_EQ(printable(text, "?"), text);
    EXPECT_EQ(escaped(text), text);
  }
}

TEST(Printable, ReplacesWhatIsObeyed) {
  EXPECT_EQ(printable("a\x1b[31m\r\x7f", "?"), "a?[31m??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J",
                      "?"),
            "?2J");
  for (const char* turned : {"\xe2\x80\x8e",
                             "\xe2\x80\x8f",
                             "\xe2\x80\xaa",
                             "\xe2\x80\xae",
                             "\xe2\x81\xa6",
                             "\xe2\x81\xa9",
                             "\xd8\x9c",
                             "\xe2\x80\xa8"}) {
    EXPECT_EQ(printable(turned, "?"), "?");
  }
}

TEST(Printable, ReplacesEachByteThatBeginsNoCharacter) {
  EXPECT_EQ(printable("\xff\xc3(", "?"), "?\?(");
  EXPECT_EQ(printable("\xed\xa0\x80", "?"), "???");
  EXPECT_EQ(printable("\xc0\xaf", "?"), "??");
}

TEST(Printable, EscapesAreThoseOfJson) {
  EXPECT_EQ(escaped("\x1b \xe2\x80\xae \xff"), "\\u001b \\u202e \\xff");
  EXPECT_EQ(within_a_line("a\nb\tc\r"), "a\\nb\\tc\\u000d");
}

TEST(Printable, ComplaintsAreOneLineWhateverAFileIsCalled) {
  const Error error(Error::Parts{"a\n::error::b", "is\x1b[2J", "why\xe2\x80\xae", "do\rit"});
  EXPECT_EQ(std::string(error.what()), "a\\n::error::b: is\\u001b[2J (why\\u202e) do\\u000dit?");
}

}  // namespace

using Parts = std::vector<std::string>;

TEST(Split, KeepsWhatIsEmpty) {
  EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,b,", ','), (Parts{"", "a", "", "b", ""}));
}

TEST(Split, OfNoSeparatorIsTheWhole) {
  EXPECT_EQ(split("a,b", '|'), Parts{"a,b"});
  EXPECT_EQ(split("", ','), Parts{""});
}

}  // namespace tune

namespace {

const std::vector<std::string> kKnobs = {"batch_size", "num_workers", "pin_memory", "amp"};

TEST(DidYouMean, FindsAMistypedWord) {
  EXPECT_EQ(tune::did_you_mean("num_wrokers", kKnobs), "num_workers");
  EXPECT_EQ(tune::did_you_mean("batchsize", kKnobs), "batch_size");
}

TEST(DidYouMean, FindsAWordThatWasCutShort) {
  EXPECT_EQ(tune::did_you_mean("workers", kKnobs), "num_workers");
}

TEST(DidYouMean, SaysNothingRatherThanSomethingFarAway) {
  EXPECT_EQ(tune::did_you_mean("temperature", kKnobs), "");
  EXPECT_EQ(tune::did_you_mean(std::string(100000, 'x'), kKnobs), "");
}

}  // namespace
