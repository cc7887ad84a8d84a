#include "base/expression/expression.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace tune::expression {

namespace {

const NameTypes kNames = {
    {"amp", {.kind = Type::Kind::text, .choices = {"none", "bf16", "fp16"}}},
    {"cpus", {.kind = Type::Kind::number}},
    {"data_wait_ratio", {.kind = Type::Kind::number}},
    {"memory", {.kind = Type::Kind::number, .dimension = {.bytes = 1}}},
    {"pin_memory", {.kind = Type::Kind::boolean}},
    {"step_time", {.kind = Type::Kind::number, .dimension = {.time = 1}}},
};

// The type, or every complaint, one per line.
std::string check(const std::string& text) {
  std::vector<Complaint> complaints;
  const auto parsed = parse_expression(text, complaints);
  const auto type = parsed ? check_expression(*parsed, kNames, complaints) : std::nullopt;
  std::string lines;
  for (const Complaint& complaint : complaints) {
    lines += lines.empty() ? "" : "\n";
    lines += std::to_string(complaint.offset + 1);
    lines += ": " + complaint.problem + " (" + complaint.why + ")";
    lines += complaint.suggestion.empty() ? "" : " " + complaint.suggestion;
  }
  return type ? to_text(*type) : lines;
}

TEST(CheckExpression, GivesTheTypeOfTheWhole) {
  EXPECT_EQ(check("cpus > 3 and not pin_memory"), "true or false");
  EXPECT_EQ(check("memory / step_time"), "bytes/s");
  EXPECT_EQ(check("step_time / 3 ms"), "number");
  EXPECT_EQ(check("1 / step_time"), "frequency");
  EXPECT_EQ(check("memory * memory / step_time"), "bytes^2·s^-1");
  EXPECT_EQ(check("max(step_time, 3 s)"), "time");
  EXPECT_EQ(check("amp"), "text");
}

TEST(CheckExpression, NamesWhatDoesNotGoTogether) {
  EXPECT_EQ(check("step_time > 3 MiB"), "1: cannot compare time with bytes (`step_time > 3 MiB`)");
  EXPECT_EQ(check("step_time + 3"), "1: cannot add time with a number (`step_time + 3`)");
  EXPECT_EQ(check("amp > 'bf16'"), "1: text has no order (`amp > 'bf16'`)");
  EXPECT_EQ(check("amp == 3"), "1: cannot compare text with a number (`amp == 3`)");
  EXPECT_EQ(check("not cpus"), "1: `not` needs true or false, not a number (`not cpus`)");
  EXPECT_EQ(check("pin_memory and cpus"),
            "1: `and` needs true or false, not a number (`pin_memory and cpus`)");
  EXPECT_EQ(check("amp in cpus"),
            "1: `in` needs a list on its right, not a number (`amp in cpus`)");
  EXPECT_EQ(check("cpus in ['a']"),
            "1: cannot look for a number in a list of text (`cpus in ['a']`)");
  EXPECT_EQ(check("cpus in [1, 'a']"),
            "9: a list contains one type, not a number and text (`[1, 'a']`)");
  EXPECT_EQ(check("-amp == amp"), "1: cannot negate text (`-amp`)");
  EXPECT_EQ(check("amp * 2"), "1: cannot multiply text (`amp * 2`)");
}

TEST(CheckExpression, SuggestsNamesAndWords) {
  EXPECT_EQ(check("data_wait_rato > 10%"),
            "1: unknown name `data_wait_rato` (no metric, knob or machine fact) did you mean "
            "`data_wait_ratio`");
  EXPECT_EQ(check("amp == 'bf61'"),
            "8: `amp` is never 'bf61' (one of: none bf16 fp16) did you mean 'bf16'");
  EXPECT_EQ(check("amp in ['none', 'fp61']"),
            "17: `amp` is never 'fp61' (one of: none bf16 fp16) did you mean 'fp16'");
  EXPECT_EQ(check("known(cpu)"),
            "1: unknown name `cpu` (no metric, knob or machine fact) did you mean `cpus`");
}

TEST(CheckExpression, ComplainsAboutEverythingAtOnce) {
  EXPECT_EQ(check("zzz == 1 or cpus > 3 s"),
            "1: unknown name `zzz` (no metric, knob or machine fact)\n"
            "13: cannot compare a number with time (`cpus > 3 s`)");
}

Result lookup(const std::string& name) {
  static const std::map<std::string, Result> values = {
      {"yes", Value::of(true)},
      {"no", Value::of(false)},
      {"three", Value::of(3.0)},
      {"zero", Value::of(0.0)},
      {"amp", Value::of("bf16")},
      {"step", Value::of(0.05, {.time = 1})},
      {"moved", Value::of(1e9, {.bytes = 1})},
      {"list", Value::of(Value::List{Value::of("a"), Value::of("b")})},
      {"lost", Unknown{"lost reason"}},
      {"gone", Unknown{"gone reason"}},
  };
  return values.at(name);
}

// "true", "0.5", "3 s", or "? <reason>" when unknown.
std::string value_of(const std::string& text) {
  const Result result = evaluate(parse_expression(text, {"x", 1, 1}), lookup);
  const auto* const unknown = std::get_if<Unknown>(&result);
  return unknown != nullptr ? "? " + unknown->reason : to_text(std::get<Value>(result));
}

TEST(Evaluate, BindsAsTheGrammarSays) {
  EXPECT_EQ(value_of("1 + 2 * 3"), "7");
  EXPECT_EQ(value_of("(1 + 2) * 3"), "9");
  EXPECT_EQ(value_of("8 - 3 - 2"), "3");
  EXPECT_EQ(value_of("8 / 4 / 2"), "1");
  EXPECT_EQ(value_of("- -3 - -2"), "5");
  EXPECT_EQ(value_of("yes or no and no"), "true");
  EXPECT_EQ(value_of("(yes or no) and no"), "false");
  EXPECT_EQ(value_of("not no and no"), "false");
  EXPECT_EQ(value_of("not three == 4"), "true");
  EXPECT_EQ(value_of("1 + 2 == three"), "true");
  EXPECT_EQ(value_of("min(3, 1, 2) + max(4, 5) + abs(-6)"), "12");
}

TEST(Evaluate, KnowsUnits) {
  EXPECT_EQ(value_of("90%"), "0.9");
  EXPECT_EQ(value_of("3 min"), "180 s");
  EXPECT_EQ(value_of("250ms"), "0.25 s");
  EXPECT_EQ(value_of("4GiB"), "4.29497e+09 B");
  EXPECT_EQ(value_of("2 GHz"), "2e+09 Hz");
  EXPECT_EQ(value_of("80 degC"), "80 degC");
  EXPECT_EQ(value_of("moved / step"), "2e+10 B/s");
  EXPECT_EQ(value_of("moved / step > 16 GB/s"), "true");
  EXPECT_EQ(value_of("1 / step"), "20 Hz");
  EXPECT_EQ(value_of("step / 25ms"), "2");
  EXPECT_EQ(value_of("3 s / three"), "1 s");
  EXPECT_EQ(value_of("three in [3]"), "true");
}

TEST(Evaluate, LooksForValuesInLists) {
  EXPECT_EQ(value_of("amp in ['bf16', \"fp16\"]"), "true");
  EXPECT_EQ(value_of("amp not in ['bf16', 'fp16']"), "false");
  EXPECT_EQ(value_of("'a' in list"), "true");
  EXPECT_EQ(value_of("amp in []"), "false");
  EXPECT_EQ(value_of("amp not in []"), "true");
}

TEST(Evaluate, FalseDecidesAndTrueDecidesOrEvenBesideTheUnknown) {
  EXPECT_EQ(value_of("no and lost == 1"), "false");
  EXPECT_EQ(value_of("lost == 1 and no"), "false");
  EXPECT_EQ(value_of("yes or lost == 1"), "true");
  EXPECT_EQ(value_of("lost == 1 or yes"), "true");
}

TEST(Evaluate, OtherwiseTheUnknownSpreadsWithTheLeftmostReason) {
  EXPECT_EQ(value_of("yes and lost == 1"), "? lost reason");
  EXPECT_EQ(value_of("no or lost == 1"), "? lost reason");
  EXPECT_EQ(value_of("not lost == 1"), "? lost reason");
  EXPECT_EQ(value_of("lost == 1 and gone == 1"), "? lost reason");
  EXPECT_EQ(value_of("gone + lost > 3"), "? gone reason");
  EXPECT_EQ(value_of("min(1, gone)"), "? gone reason");
  EXPECT_EQ(value_of("lost in [1]"), "? lost reason");
  EXPECT_EQ(value_of("1 in [lost]"), "? lost reason");
  EXPECT_EQ(value_of("abs(-gone)"), "? gone reason");
}

TEST(Evaluate, AsksWhetherSomethingIsKnown) {
  EXPECT_EQ(value_of("known(three)"), "true");
  EXPECT_EQ(value_of("known(lost)"), "false");
  EXPECT_EQ(value_of("known(lost) and lost > 3"), "false");
  EXPECT_EQ(value_of("not known(lost) or lost > 3"), "true");
}

TEST(Evaluate, DividingByZeroIsUnknown) {
  EXPECT_EQ(value_of("three / zero"), "? division by zero in `three / zero`");
  EXPECT_EQ(value_of("1 / zero > 3 or yes"), "true");
  EXPECT_EQ(value_of("1e300 * 1e300"), "? `1e300 * 1e300` is not a finite number");
}

TEST(Evaluate, KeepsEveryPartInTheTrace) {
  std::vector<Step> trace;
  evaluate(parse_expression("no and three > 2 + 5", {"x", 1, 1}), lookup, &trace);
  std::vector<std::string> parts;
  for (const Step& step : trace) {
    parts.push_back(step.text + " = " + to_text(std::get<Value>(step.result)));
  }
  EXPECT_EQ(parts,
            (std::vector<std::string>{"no = false",
                                      "three = 3",
                                      "2 = 2",
                                      "5 = 5",
                                      "2 + 5 = 7",
                                      "three > 2 + 5 = false",
                                      "no and three > 2 + 5 = false"}));
}

TEST(Evaluate, RefusesValuesOfAnotherTypeThanWasChecked) {
  EXPECT_THROW(value_of("amp > 3"), Error);
  EXPECT_THROW(value_of("three and yes"), Error);
}

}  // namespace

}  // namespace tune::expression
