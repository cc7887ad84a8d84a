#include "base/error.h"
#include "base/expression/expression.h"

#include <gtest/gtest.h>

namespace tune::expression {
namespace {

// "7: problem (why) suggestion" of the one complaint, columns from 1; "" when it parses.
std::string complaint_about(const std::string& text) {
  std::vector<Complaint> complaints;
  const auto parsed = parse_expression(text, complaints);
  if (complaints.empty()) {
    return parsed ? "" : "nothing";
  }
  const Complaint& first = complaints.front();
  std::string sentence = std::to_string(first.offset + 1) + ": " + first.problem;
  if (!first.why.empty()) {
    sentence += " (" + first.why + ")";
  }
  return first.suggestion.empty() ? sentence : sentence + " " + first.suggestion;
}

TEST(ParseExpression, SaysWhatWasExpectedAndWhere) {
  EXPECT_EQ(complaint_about("min(1, 2"), "9: expected `)` before end of expression");
  EXPECT_EQ(complaint_about("(a"), "3: expected `)` before end of expression");
  EXPECT_EQ(complaint_about("a =="), "5: expected a value before end of expression");
  EXPECT_EQ(complaint_about("a and or b"), "7: expected a value before `or`");
  EXPECT_EQ(complaint_about("a b"), "3: expected `and`, `or` or the end before `b`");
  EXPECT_EQ(complaint_about("a not b"), "7: expected `in` before `b`");
  EXPECT_EQ(complaint_about("a in 3"), "6: expected a list before `3`");
  EXPECT_EQ(complaint_about("a in [1,]"), "9: expected a value before `]`");
  EXPECT_EQ(complaint_about("known(3)"), "7: expected a name before `3`");
  EXPECT_EQ(complaint_about(""), "1: the expression is empty");
  EXPECT_EQ(complaint_about("  \t "), "1: the expression is empty");
}

TEST(ParseExpression, KnowsWhatUsersOfOtherLanguagesWrite) {
  EXPECT_EQ(complaint_about("a = 3"),
            "3: `=` is not an operator (nothing is assigned here) did you mean `==`");
  EXPECT_EQ(complaint_about("a && b"), "3: `&&` is not an operator did you mean `and`");
  EXPECT_EQ(complaint_about("a || b"), "3: `||` is not an operator did you mean `or`");
  EXPECT_EQ(complaint_about("!a"), "1: `!` is not an operator did you mean `not`");
  EXPECT_EQ(complaint_about("a < b < c"),
            "7: comparisons do not chain (`a < b < c`) did you mean `a < b and b < c`");
  EXPECT_EQ(complaint_about("sqrt(2)"),
            "1: there is no function `sqrt` (functions: known min max abs)");
  EXPECT_EQ(complaint_about("abs(1, 2)"), "10: `abs` takes one value");
  EXPECT_EQ(complaint_about("min()"), "6: `min` takes at least one value");
  EXPECT_EQ(complaint_about("Amp"),
            "1: `Amp` is not a name (names are small letters, digits and _, e.g. `num_workers`)");
  EXPECT_EQ(complaint_about("'bf16"), "1: the text that starts here is not closed (expected ')");
  EXPECT_EQ(complaint_about("a @ b"), "3: `@` has no meaning here");
  EXPECT_EQ(complaint_about("a \x01 b"), "3: byte 1 has no meaning here");
}

TEST(ParseExpression, NamesTheUnitsThatWereProbablyMeant) {
  EXPECT_EQ(complaint_about("step_time > 3 mss"),
            "15: unit `mss` is not known (time units: ns us ms s min h)");
  EXPECT_EQ(complaint_about("memory < 3 Gib"),
            "12: unit `Gib` is not known (bytes units: B KB MB GB KiB MiB GiB)");
  EXPECT_EQ(complaint_about("1e999 > a"), "1: the number `1e999` is too large");
}

TEST(ParseExpression, IsBounded) {
  EXPECT_EQ(complaint_about(std::string(4097, ' ')),
            "1: the expression is too long (at most 4 KiB)");
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "a" + std::string(levels, ')');
  };
  EXPECT_EQ(complaint_about(nested(63)), "");
  EXPECT_EQ(complaint_about(nested(64)),
            "65: the expression is nested too deep (at most 64 levels)");
  EXPECT_EQ(complaint_about(std::string(2000, '-') + "1"),
            "64: the expression is nested too deep (at most 64 levels)");
  std::string row = "a";
  for (int i = 0; i < 600; ++i) {
    row += " or a";
  }
  EXPECT_NE(complaint_about(row).find("the expression is too long (at most 512 parts)"),
            std::string::npos);
  std::string list = "a in [1";
  for (int i = 0; i < 64; ++i) {
    list += ",1";
  }
  EXPECT_NE(complaint_about(list + "]").find("the list is too long (at most 64 values)"),
            std::string::npos);
}

TEST(ParseExpression, CountsColumnsFromWhereTheTextBegins) {
  try {
    parse_expression("amp = 'bf16'", {"x.yaml", 9, 7});
    FAIL() << "parsed";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "x.yaml:9:11: `=` is not an operator (nothing is assigned here) did you mean `==`?");
  }
}

TEST(ParseExpression, RemembersItsTextAndItsNames) {
  const Expression parsed =
      parse_expression("amp == 'bf16' and known(cpus) and amp != b.c", {"x", 1, 1});
  EXPECT_EQ(parsed.text(), "amp == 'bf16' and known(cpus) and amp != b.c");
  EXPECT_EQ(parsed.names(), (std::vector<std::string>{"amp", "cpus", "b.c"}));
}

}  // namespace
}  // namespace tune::expression
