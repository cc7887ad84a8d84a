// The rules that came with tune: each says of its fixtures what these expect, and none lacks them.

#include "advice/diagnosis.h"
#include "advice/fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tune::advice {
namespace {

namespace fs = std::filesystem;

const rule::Catalog& shipped() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog;
}

TEST(ShippedRules, SayOfTheirFixturesWhatTheseExpect) {
  std::vector<const rule::Rule*> rules;
  for (const rule::Rule& rule : shipped().rules) {
    rules.push_back(&rule);
  }
  const FixtureReport report = try_rules(rules, fs::path(SOURCE_DIR) / "tests/rules");
  for (const FixtureProblem& problem : report.problems) {
    ADD_FAILURE() << problem.file << ": " << problem.problem;
  }
  EXPECT_EQ(report.rules, shipped().rules.size());
  EXPECT_GE(report.fixtures, 2 * report.rules);
}

// A title is the heading of a card, and one row of a table.
TEST(ShippedRules, HaveTitlesOfAtMost60Characters) {
  for (const rule::Rule& rule : shipped().rules) {
    EXPECT_LE(rule.title.size(), 60U) << rule.file;
    EXPECT_FALSE(rule.title.ends_with('.')) << rule.file;
  }
}

TEST(ShippedRules, HaveVariablesWhereTheyCanBeCopied) {
  for (const rule::Rule& rule : shipped().rules) {
    for (const std::string* const code :
         {&rule.change.cpp, &rule.change.python, &rule.change.text}) {
      EXPECT_EQ(code->find("in the environment"), std::string::npos) << rule.file;
    }
  }
  const rule::Rule* const storm = shipped().find("page-fault-storm");
  ASSERT_NE(storm, nullptr);
  EXPECT_EQ(storm->change.environment,
            (std::vector<std::string>{"MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1073741824",
                                      "LD_PRELOAD=libjemalloc.so.2"}));
}

TEST(ShippedRules, HaveNoFixturesOfRulesThatAreGone) {
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE_DIR) / "tests/rules")) {
    if (fs::exists(entry.path() / "fires.json")) {
      EXPECT_NE(shipped().find(entry.path().filename().string()), nullptr) << entry.path();
    }
  }
}

TEST(ShippedRules, SayNothingOfARunOfWhichNothingIsKnown) {
  const Diagnosis diagnosis = diagnose(shipped(), {});
  for (const Finding& finding : diagnosis.findings) {
    EXPECT_EQ(finding.state, rule::State::not_applicable) << finding.rule->id;
    EXPECT_NE(finding.reason, "") << finding.rule->id;
  }
}

// Lines of ids stand six columns in, those of symptoms two.
TEST(ShippedRules, AreThoseThatHelpSymptomsNames) {
  std::ifstream file(std::string(SOURCE_DIR) + "/harness/cli/help/symptoms.txt");
  std::size_t named = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("      ")) {
      continue;
    }
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    for (std::string id; words >> id; ++named) {
      EXPECT_NE(shipped().find(id), nullptr) << id;
    }
  }
  EXPECT_GT(named, 40U);
}

}  // namespace
}  // namespace tune::advice
