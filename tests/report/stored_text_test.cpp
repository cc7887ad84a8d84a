#include "report/format/stored_text.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tune::report {
namespace {

TEST(StoredText, ExactNumbersReadBackAsTheyWere) {
  for (const double value : {0.0, 1.0, -0.1, 166.55072415540587, 1e-300, 1e20, 5e-324, 1.7e308}) {
    EXPECT_EQ(std::strtod(exact_text(value).c_str(), nullptr), value) << exact_text(value);
  }
  EXPECT_EQ(exact_text(58.25), "58.25");
}

TEST(StoredText, RoundedNumbersHaveTheirDigitsAndNoExponent) {
  EXPECT_EQ(rounded_text(58.2712, 3), "58.3");
  EXPECT_EQ(rounded_text(166.55, 3), "167");
  EXPECT_EQ(rounded_text(735270912, 3), "735000000");
  EXPECT_EQ(rounded_text(0.00123456, 3), "0.00123");
  EXPECT_EQ(rounded_text(-0.0371, 2), "-0.037");
  EXPECT_EQ(rounded_text(0, 3), "0.00");
  EXPECT_EQ(rounded_text(1e300, 3), "1.00e+300");
}

TEST(StoredText, LongNamesStayApart) {
  const std::string text(500, 'x');
  const std::string one = shortened_distinctly(text + "1", 100);
  const std::string two = shortened_distinctly(text + "2", 100);
  EXPECT_NE(one, two);
  EXPECT_EQ(one.size(), 100U);
  EXPECT_EQ(shortened_distinctly("short", 100), "short");
}

TEST(StoredText, NumbersAreSaidWithTheirUnitOrWhyThereAreNone) {
  EXPECT_EQ(number_words({.value = 166.6, .lower = 165.1, .upper = 168, .unit = "samples/s"}),
            "166.6 samples/s [165.1, 168.0]");
  EXPECT_EQ(number_words({.value = 0.25, .unit = "ratio"}), "25.0 %");
  EXPECT_EQ(number_words({.reason = "it crashed"}), "not measured (it crashed)");
  EXPECT_EQ(gain_words({.value = -0.013}), "-1.3 %");
  EXPECT_NE(number_words({.value = 1e308, .unit = "s"}), "");
  EXPECT_NE(number_words({.value = -1e308, .unit = "B"}), "");
}

TEST(StoredText, ARowOfAGateIsOneSentence) {
  result::GateRow row{.metric = "epoch_time", .unit = "s"};
  row.baseline = {34.0, 34.0};
  row.candidate = {38.0, 38.0};
  row.delta = {.value = 0.1176, .lower = 0.11, .upper = 0.125};
  row.budget = 0.03;
  row.mde = 0.02;
  row.pairs = 10;
  row.why = "worse by more than the budget";
  EXPECT_EQ(sentence(row),
            "34s -> 38s, +11.8 % [+11.0, +12.5] % in 10 pairs; budget 3.0 %; smallest "
            "detectable 2.0 %; worse by more than the budget");
  const result::GateRow count{.metric = "operators",
                              .unit = "calls",
                              .is_measured = false,
                              .is_gated = false,
                              .baseline = {0.0, 0.0},
                              .candidate = {2.0, 4.0}};
  EXPECT_EQ(sentence(count), "0 -> 2 to 4, new");
}

TEST(StoredText, PathsAreSeenFromTheRoot) {
  EXPECT_EQ(path_below("/repo/a/b.yaml", "/repo"), "a/b.yaml");
  EXPECT_EQ(path_below("/repository/b.yaml", "/repo"), "/repository/b.yaml");
  EXPECT_EQ(path_below("./a/../b.yaml", "/repo"), "b.yaml");
  EXPECT_EQ(path_below("", "/repo"), "");
  EXPECT_EQ(uri_text("a b/\xC3\xA9%.yaml"), "a%20b/%C3%A9%25.yaml");
}

TEST(StoredText, RunningOutOfMemoryIsAResultOfASearchAndAFailureOfTheBaseline) {
  EXPECT_FALSE(has_failed({.id = "c1", .outcome = "out-of-memory"}));
  EXPECT_TRUE(has_failed({.id = "baseline", .outcome = "out-of-memory"}));
  EXPECT_TRUE(has_failed({.id = "c1", .outcome = "garbled"}));
  EXPECT_FALSE(has_failed({.id = "c1", .outcome = "not-run"}));
}

}  // namespace
}  // namespace tune::report
