// Expressions, changed at random from fixed seeds: each one is parsed or refused at a byte of its
// text, and each one with a type can be evaluated with every name known, and with none.

#include "base/expression/expression.h"
#include "mutator.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace tune::expression {
namespace {

const std::vector<std::string>& hostile_parts() {
  static const std::vector<std::string> parts = {"-1",       "1e999",  "99999999999999999999",
                                                 "((((((((", "))",     " and ",
                                                 " or ",     "not ",   " == ",
                                                 " != ",     " < ",    " / 0",
                                                 " in ",     "'",      "''",
                                                 "3%",       "5 min",  "4GiB",
                                                 "amp",      "[",      "]",
                                                 ",",        "true",   "0",
                                                 "known(",   "min(1,", "max(",
                                                 "abs(",     ".",      "..",
                                                 "\xff",     "1/0"};
  return parts;
}

constexpr std::array kExpressions = {
    "amp == 'fp16' and device == 'cpu'",
    "workers * 2 > cpus or batch >= 1024",
    "not (last and pinned) and batch in [8, 16, 32]",
    "(threads + workers) / cpus > 1.5 and ((amp != 'none'))",
    "moved / step > 16 GB/s or known(step) and min(step, 25ms) < abs(-2 s)",
};

const std::map<std::string, Value>& known_values() {
  static const std::map<std::string, Value> values = {
      {"amp", Value::of("bf16")},
      {"device", Value::of("cpu")},
      {"workers", Value::of(2.0)},
      {"threads", Value::of(0.0)},
      {"cpus", Value::of(4.0)},
      {"batch", Value::of(32.0)},
      {"last", Value::of(true)},
      {"pinned", Value::of(false)},
      {"step", Value::of(0.05, {.time = 1})},
      {"moved", Value::of(1e9, {.bytes = 1})},
  };
  return values;
}

Result value_of(const std::string& name) {
  return known_values().at(name);
}
Result unknown(const std::string& name) {
  return Unknown{name + " is not known"};
}

// True when it has a type.
bool take_in(const std::string& text) {
  std::vector<Complaint> complaints;
  const auto expression = parse_expression(text, complaints);
  EXPECT_EQ(expression.has_value(), complaints.empty()) << text;
  if (expression) {
    NameTypes types;
    for (const auto& [name, value] : known_values()) {
      types.emplace(name, type_of(value));
    }
    const auto type = check_expression(*expression, types, complaints);
    EXPECT_EQ(type.has_value(), complaints.empty()) << text;
    if (type) {
      const Result result = evaluate(*expression, value_of);
      if (const auto* const value = std::get_if<Value>(&result)) {
        EXPECT_EQ(type_of(*value).kind, type->kind) << text;
      }
      EXPECT_NO_THROW(evaluate(*expression, unknown)) << text;
      return true;
    }
  }
  for (const Complaint& complaint : complaints) {
    EXPECT_LE(complaint.offset, text.size()) << text;
    EXPECT_NE(complaint.problem, "") << text;
  }
  return false;
}

class ExpressionFuzz : public testing::TestWithParam<int> {};

TEST_P(ExpressionFuzz, MutatedExpressionsAreUnderstoodOrRefusedAtAPlace) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()), hostile_parts());
  int understood = 0;
  int all = 0;
  for (const char* const expression : kExpressions) {
    ASSERT_TRUE(take_in(expression)) << expression;
    for (int i = 0; i < 200; ++i, ++all) {
      understood += take_in(mutator.mutate(expression)) ? 1 : 0;
    }
  }
  EXPECT_GT(understood, 0);
  EXPECT_LT(understood, all / 2);  // the mutations do reach the checked code
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExpressionFuzz, testing::Range(0, 8));

}  // namespace
}  // namespace tune::expression
