// The shipped rules and their fixtures, changed at random from fixed seeds: every text is either a
// rule, which can then be evaluated with nothing known and with everything known, or a list of
// complaints that name the file.

#include "advice/diagnosis.h"
#include "advice/fixture.h"
#include "base/error.h"
#include "mutator.h"
#include "rule/known_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tune::rule {
namespace {

using expression::Type;
using expression::Value;

const std::vector<std::string>& hostile_parts() {
  static const std::vector<std::string> parts = {"-1",
                                                 "010",
                                                 ".inf",
                                                 ".nan",
                                                 "1e999",
                                                 "99999999999999999999",
                                                 "0.5",
                                                 "~",
                                                 "true",
                                                 "'",
                                                 "\"",
                                                 "\"\\ud800\"",
                                                 "&a [*a]",
                                                 "*a",
                                                 "!!x",
                                                 "[",
                                                 "{",
                                                 "- ",
                                                 "? ",
                                                 "|",
                                                 ">",
                                                 "# ",
                                                 ": ",
                                                 "%",
                                                 "\t",
                                                 "---\n",
                                                 "<<: ",
                                                 "3 %",
                                                 "5 min",
                                                 "[[[[[[[[[[[[",
                                                 "((((((",
                                                 " and ",
                                                 " not ",
                                                 " == ",
                                                 " / 0",
                                                 "limit.share",
                                                 "known(",
                                                 "min(1,",
                                                 "device",
                                                 "null",
                                                 "{expression: 1 / 0}",
                                                 "else: {model: none}"};
  return parts;
}

Value some_value(const Type& type) {
  switch (type.kind) {
    case Type::Kind::boolean:
      return Value::of(true);
    case Type::Kind::text:
      return Value::of(type.choices.empty() ? "text" : type.choices.front());
    case Type::Kind::list:
      return Value::of(Value::List{Value::of("text")});
    case Type::Kind::number:
      break;
  }
  return Value::of(0.25, type.dimension);
}

const FactTable& everything() {
  static const FactTable facts = [] {
    FactTable all;
    for (const auto& [name, known] : known_names()) {
      all.set(name, {.result = some_value(known.type), .window = "profile"});
    }
    return all;
  }();
  return facts;
}

// Relations to other rules aside: alone, a rule that names another one is refused.
std::string without_relations(std::string text) {
  for (const char* const key : {"\nexplained_by:", "\nmutes:", "\nconflicts:"}) {
    const std::size_t begin = text.find(key);
    if (begin == std::string::npos) {
      continue;
    }
    std::size_t end = text.find('\n', begin + 1);
    while (end != std::string::npos && text.compare(end, 2, "\n ") == 0) {
      end = text.find('\n', end + 1);
    }
    text.erase(begin, end == std::string::npos ? std::string::npos : end - begin);
  }
  return text;
}

// True when it is a rule.
bool take_in(const RuleFile& file) {
  try {
    const Catalog catalog = read_catalog({file});
    EXPECT_NO_THROW(advice::diagnose(catalog, {})) << file.text;
    EXPECT_NO_THROW(advice::diagnose(catalog, everything())) << file.text;
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file.name + ":")) << error.what();
    return false;
  }
}

class RuleFuzz : public testing::TestWithParam<int> {};

TEST_P(RuleFuzz, MutatedRulesAreReadOrRefusedByName) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()), hostile_parts());
  int understood = 0;
  int all = 0;
  for (RuleFile file : shipped_rules()) {
    const std::string text = without_relations(file.text);
    ASSERT_TRUE(take_in({file.name, text})) << file.name;
    for (int i = 0; i < 4; ++i, ++all) {
      file.text = mutator.mutate(text);
      understood += take_in(file) ? 1 : 0;
    }
  }
  EXPECT_GT(understood, 0);
  EXPECT_LT(understood, all * 3 / 4);  // the mutations do reach what is checked
}

TEST_P(RuleFuzz, MutatedFixturesAreReadOrRefusedByName) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()) + 1000);
  const std::string text =
      R"({"values": {"data_wait_ratio": 0.2, "num_workers": null, "throttle_reasons": ["a", "b"],
          "pin_memory": false, "amp": "none", "step_time": 0.5},
          "expect": {"state": "fired", "severity": "high", "gain": [0.1, 0.25]}})";
  int understood = 0;
  constexpr int kTimes = 300;
  for (int i = 0; i < kTimes; ++i) {
    try {
      advice::read_fixture(mutator.mutate(text), "f.json");
      ++understood;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("f.json: ")) << error.what();
    }
  }
  EXPECT_LT(understood, kTimes * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RuleFuzz, testing::Range(0, 4));

}  // namespace
}  // namespace tune::rule
