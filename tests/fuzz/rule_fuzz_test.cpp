// The shipped rules and their fixtures, changed at random from fixed seeds: every text is either a
// rule, which can then be evaluated with nothing known and with everything known, or a list of
// complaints that name the file.

#include "advice/fixture.h"
#include "base/file.h"
#include "mutator.h"
#include "taken_in_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace tune::rule {
namespace {

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

// Without relations to other rules: a single rule that names another one is refused.
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

// By name, so that a seed changes the same file everywhere.
std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(SOURCE_DIR) / "tests/fuzz/corpus/rule";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class RuleFuzz : public testing::TestWithParam<int> {};

TEST_P(RuleFuzz, MutatedRulesAreReadOrRefusedByName) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()), hostile_parts());
  int understood = 0;
  int all = 0;
  for (RuleFile file : shipped_rules()) {
    const std::string text = without_relations(file.text);
    ASSERT_TRUE(fuzz::take_in_rule({file.name, text})) << file.name;
    for (int i = 0; i < 4; ++i, ++all) {
      file.text = mutator.mutate(text);
      understood += fuzz::take_in_rule(file) ? 1 : 0;
    }
  }
  EXPECT_GT(understood, 0);
  EXPECT_LT(understood, all * 3 / 4);  // the mutations do reach the checked code
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

// libFuzzer's initial inputs: "rule-" are rules, "when-" expressions, "bad-" neither.
TEST_P(RuleFuzz, TheCorpusAndItsMutationsAreReadOrRefused) {
  fuzz::Mutator mutator(static_cast<std::uint64_t>(GetParam()) + 2000, hostile_parts());
  std::size_t seen = 0;
  for (const std::filesystem::path& file : corpus()) {
    const std::string name = file.filename().string();
    const std::string text = read_file(file);
    const bool is_rule = fuzz::take_in_rule(fuzz::named_after_its_id(text));
    EXPECT_EQ(is_rule, name.starts_with("rule-")) << name;
    EXPECT_EQ(fuzz::take_in_expression(text), name.starts_with("when-")) << name;
    for (int i = 0; i < 20; ++i) {
      const std::string changed = mutator.mutate(text);
      fuzz::take_in_rule(fuzz::named_after_its_id(changed));
      fuzz::take_in_expression(changed);
    }
    ++seen;
  }
  EXPECT_GE(seen, 8U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RuleFuzz, testing::Range(0, 4));

}  // namespace
}  // namespace tune::rule
