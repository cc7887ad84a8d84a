#include "expression/expression.h"

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

// The type, or every complaint, one a line.
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
            "9: a list holds one type, not a number and text (`[1, 'a']`)");
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

}  // namespace
}  // namespace tune::expression
