#pragma once

#include "advice/rule/catalog.h"
#include "advice/rule/evaluate_rule.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tune::advice {

/// Values under which a rule is tried, and what it must say of them:
///
///     {"values": {"num_workers": 0, "data_wait_ratio": 0.3, "usable_cores": null},
///      "expect": {"state": "fired", "severity": "high", "gain": [0.17, 0.43]}}
///
/// Numbers are in base units (s, B, 1/s, ratios 0-1); null is not known. `severity` and `gain` may
/// be left out.
struct Fixture {
  rule::FactTable facts;
  rule::State state = rule::State::quiet;
  std::optional<rule::Severity> severity;
  std::optional<std::array<double, 2>> gain;
};

/// Throws tune::Error "<file>: ..." for what is not a fixture: names that no rule may use, values
/// of another type.
Fixture read_fixture(const std::string& text, const std::string& file);

/// What the rule says otherwise ("is quiet, not fired: h2d_exposed_ratio 0.01 >= 3% ✗"); "" when it
/// says what is expected.
std::string check_fixture(const rule::Rule& rule, const Fixture& fixture);

struct FixtureProblem {
  std::string file, problem;
};

struct FixtureReport {
  std::size_t rules = 0, fixtures = 0;
  std::vector<FixtureProblem> problems;
};

/// Tries every rule on <folder>/<id>/*.json. fires.json and quiet.json must be there, and expect
/// what they are called.
FixtureReport try_rules(const std::vector<const rule::Rule*>& rules,
                        const std::filesystem::path& folder);

}  // namespace tune::advice
