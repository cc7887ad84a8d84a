#include "base/expression/explain.h"

#include "base/expression/value.h"

#include <gtest/gtest.h>

namespace tune::expression {
namespace {

Result value_of(const std::string& name) {
  static const std::map<std::string, Value> values = {
      {"wait", Value::of(0.31)},
      {"pinned", Value::of(false)},
      {"amp", Value::of("bf16")},
      {"step", Value::of(0.0042, {.time = 1})},
      {"moved", Value::of(9.6e6, {.bytes = 1})},
  };
  const auto found = values.find(name);
  return found != values.end() ? Result(found->second) : Result(Unknown{"nobody measured it"});
}

std::string text(const std::string& expression) {
  return substituted(parse_expression(expression, Place{}), value_of);
}

TEST(Explain, PutsValuesBesideNamesAndMarksComparisons) {
  EXPECT_EQ(text("wait > 5 %"), "wait 0.31 > 5 % ✓");
  EXPECT_EQ(text("wait > 5% and not pinned"), "wait 0.31 > 5% ✓ and not pinned false");
  EXPECT_EQ(text("amp in ['none', 'fp16']"), "amp 'bf16' in ['none', 'fp16'] ✗");
  EXPECT_EQ(text("amp not in ['none']"), "amp 'bf16' not in ['none'] ✓");
  EXPECT_EQ(text("busy < 90% or wait > 1"), "busy unknown < 90% or wait 0.31 > 1 ✗");
  EXPECT_EQ(text("known(busy)"), "known(busy) ✗");
  EXPECT_EQ(text("not known(busy)"), "not known(busy) ✓");
  EXPECT_EQ(text("not known(wait)"), "not known(wait) ✗");
}

std::string deciding_text(const std::string& expression) {
  return explain(parse_expression(expression, Place{}), value_of).deciding;
}

TEST(Explain, WhatDecidesIsLessThanAll) {
  EXPECT_EQ(deciding_text("wait > 5% and not pinned"), text("wait > 5% and not pinned"));
  EXPECT_EQ(deciding_text("busy > 1 or wait > 1 or wait > 5%"), "wait 0.31 > 5% ✓");
  EXPECT_EQ(deciding_text("wait > 5% and wait > 1 and pinned"), "wait 0.31 > 1 ✗ and pinned false");
  EXPECT_EQ(
      deciding_text("(known(busy) and busy > 1 or not known(busy) and wait > 5%) and not pinned"),
      "wait 0.31 > 5% ✓ and not pinned false");
  EXPECT_EQ(deciding_text("wait > 5% and not (known(busy) and busy > 1)"), "wait 0.31 > 5% ✓");
  EXPECT_EQ(deciding_text("not (wait > 1 and (pinned or wait > 5%))"), "not wait 0.31 > 1 ✗");
  EXPECT_EQ(deciding_text("not ((wait > 1 or pinned) and wait > 5%)"),
            "not (wait 0.31 > 1 ✗ or pinned false)");
}

TEST(Explain, PresenceIsShownWhereItAloneDecides) {
  EXPECT_EQ(deciding_text("known(busy) and wait > 5%"), "known(busy) ✗");
  EXPECT_EQ(deciding_text("not (known(busy) and busy > 1)"), "not known(busy) ✓");
}

TEST(Explain, AllIsShownOfWhatIsUnknown) {
  EXPECT_EQ(deciding_text("busy > 1 and known(wait)"), "busy unknown > 1 and known(wait) ✓");
}

TEST(Explain, ShowsUnitsThatFit) {
  EXPECT_EQ(text("moved / step > 1 GB/s"), "moved 9.6 MB / step 4.2 ms > 1 GB/s ✓");
  EXPECT_EQ(text("min(step, 25ms) < abs(-2 s)"), "min(step 4.2 ms, 25ms) < abs(-2 s) ✓");
}

TEST(Explain, KeepsBracketsThatMatter) {
  EXPECT_EQ(text("(wait + 1) * 2 > 1"), "(wait 0.31 + 1) * 2 > 1 ✓");
  EXPECT_EQ(text("1 - (wait - 1) > 0"), "1 - (wait 0.31 - 1) > 0 ✓");
  EXPECT_EQ(text("1 - wait - 1 > 0"), "1 - wait 0.31 - 1 > 0 ✗");
  EXPECT_EQ(text("(pinned or wait > 1) and pinned"),
            "(pinned false or wait 0.31 > 1 ✗) and pinned false");
  EXPECT_EQ(text("not (pinned and pinned)"), "not (pinned false and pinned false)");
}

TEST(Explain, GivesEveryPartThatIsTrueOrFalse) {
  const auto parts =
      explain(parse_expression("wait > 5% and (pinned or busy < 1)", Place{}), value_of).parts;
  ASSERT_EQ(parts.size(), 5U);
  EXPECT_EQ(parts[0].level, 0U);
  EXPECT_EQ(parts[1].text, "wait 0.31 > 5% ✓");
  EXPECT_EQ(parts[2].text, "pinned false or busy unknown < 1");
  EXPECT_EQ(std::get<Unknown>(parts[2].result).reason, "nobody measured it");
  EXPECT_EQ(parts[3].text, "pinned false");
  EXPECT_EQ(parts[3].level, 2U);
}

TEST(ReadableText, HasFourDigitsAndTheUnitThatFits) {
  EXPECT_EQ(to_readable_text(Value::of(0.0, {.time = 1})), "0 s");
  EXPECT_EQ(to_readable_text(Value::of(12.0, {.bytes = 1})), "12 B");
  EXPECT_EQ(to_readable_text(Value::of(-3e-7, {.time = 1})), "-300 ns");
  EXPECT_EQ(to_readable_text(Value::of(1.6e10, {.time = -1, .bytes = 1})), "16 GB/s");
  EXPECT_EQ(to_readable_text(Value::of(914.26, {.time = -1})), "914.3 /s");
  EXPECT_EQ(to_readable_text(Value::of(82.0, {.temperature = 1})), "82 degC");
  EXPECT_EQ(to_readable_text(Value::of(Value::List(20, Value::of(1.0)))),
            "[1, 1, 1, 1, 1, 1, 1, 1, ...]");
  EXPECT_EQ(to_readable_text(Value::of(std::string(500, 'x'))).size(), 123U);
}

}  // namespace
}  // namespace tune::expression
