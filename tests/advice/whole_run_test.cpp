// All shipped rules over the values of one whole run: healthy ones, where nothing above info may
// fire, and published cases, whose measured gain must lie within the predicted range.

#include "advice/diagnosis.h"
#include "advice/fixture.h"
#include "base/file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tune::advice {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using rule::Severity;

const rule::Catalog& shipped() {
  static const rule::Catalog catalog = rule::read_catalog(rule::shipped_rules());
  return catalog;
}

std::vector<fs::path> whole_runs() {
  const fs::path folder = fs::path(SOURCE_DIR) / "tests/rules";
  std::vector<fs::path> files = {folder / "healthy.json"};
  for (const auto& entry : fs::directory_iterator(folder / "cases")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

json read_run(const fs::path& file) {
  return json::parse(read_file(file, 1 << 20));
}

rule::FactTable facts_of(const json& run) {
  const json fixture = {{"values", run.at("values")}, {"expect", {{"state", "quiet"}}}};
  return read_fixture(fixture.dump(), "values").facts;
}

class WholeRun : public testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    run_ = read_run(GetParam());
    diagnosis_ = diagnose(shipped(), facts_of(run_));
  }

  const json& expected(const char* key) const { return run_.at("expect").at(key); }

  json run_;
  Diagnosis diagnosis_;
};

TEST_P(WholeRun, FiresTheRulesThatItShould) {
  std::set<std::string> fired;
  for (const Finding& finding : diagnosis_.findings) {
    if (finding.has_fired()) {
      fired.insert(finding.rule->id);
    }
  }
  EXPECT_EQ(fired, expected("fired").get<std::set<std::string>>());
}

TEST_P(WholeRun, FindsNothingWorseThanItShould) {
  const auto highest = expected("highest_severity").get<std::string>();
  constexpr std::array kWorse = {Severity::low, Severity::medium, Severity::high};
  bool is_allowed = highest != to_text(Severity::info);
  for (const Severity severity : kWorse) {
    const auto found = std::find_if(
        diagnosis_.findings.begin(), diagnosis_.findings.end(), [&](const Finding& finding) {
          return finding.has_fired() && finding.severity == severity;
        });
    EXPECT_TRUE(is_allowed || found == diagnosis_.findings.end())
        << found->rule->id << " is " << to_text(severity);
    is_allowed = is_allowed && highest != to_text(severity);
  }
}

TEST_P(WholeRun, RanksAsItShould) {
  if (!run_.at("expect").contains("ranked")) {
    EXPECT_TRUE(diagnosis_.recommendations.empty());
    return;
  }
  std::vector<std::string> ranked;
  ranked.reserve(diagnosis_.recommendations.size());
  for (const Recommendation& recommendation : diagnosis_.recommendations) {
    ranked.push_back(recommendation.rule->id);
  }
  EXPECT_EQ(ranked, expected("ranked").get<std::vector<std::string>>());
}

TEST_P(WholeRun, PredictsWhatWasMeasured) {
  if (!run_.at("expect").contains("measured_gain")) {
    return;
  }
  const json& measured = expected("measured_gain");
  const auto recommendation = std::find_if(
      diagnosis_.recommendations.begin(),
      diagnosis_.recommendations.end(),
      [&](const Recommendation& other) { return measured.at("rule") == other.rule->id; });
  ASSERT_NE(recommendation, diagnosis_.recommendations.end());
  ASSERT_TRUE(recommendation->predicted.is_known());
  EXPECT_LE(recommendation->predicted.lower, measured.at("value").get<double>());
  EXPECT_GE(recommendation->predicted.upper, measured.at("value").get<double>());
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, WholeRun, testing::ValuesIn(whole_runs()), name_of);

TEST(HealthyRun, KnowsEveryNameThatARuleNeeds) {
  const json run = read_run(fs::path(SOURCE_DIR) / "tests/rules/healthy.json");
  for (const rule::Rule& rule : shipped().rules) {
    for (const std::string& name : rule.needs) {
      EXPECT_TRUE(run.at("values").contains(name)) << rule.id << ": " << name;
    }
  }
}

}  // namespace
}  // namespace tune::advice
