#include "measure/campaign/regression_facts.h"

#include "advice/finding.h"
#include "recorded_diagnosis.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::campaign {

namespace {

rule::FactTable facts_of(const std::vector<double>& rates) {
  history::Series series;
  for (const double rate : rates) {
    series.points.push_back({.value = rate});
  }
  rule::FactTable facts;
  add_history_facts(series, facts);
  return facts;
}

double number(const rule::FactTable& facts, const std::string& name) {
  return std::get<expression::Number>(std::get<expression::Value>(facts.value(name)).data).value;
}

rule::State state_of(const std::vector<double>& rates) {
  return advice::find(*shipped_catalog()->find("performance-regression"), facts_of(rates)).state;
}

TEST(HistoryFacts, CompareTheLastRunWithThoseBefore) {
  const rule::FactTable facts = facts_of({100, 90, 110, 80});
  EXPECT_DOUBLE_EQ(number(facts, "history_run_count"), 3);
  EXPECT_DOUBLE_EQ(number(facts, "slowdown_ratio"), 100.0 / 80 - 1);
  EXPECT_DOUBLE_EQ(number(facts, "history_spread_ratio"), 100.0 / 90 - 1);
}

TEST(HistoryFacts, AreUnknownWithoutAnEarlierRun) {
  for (const std::vector<double>& rates : {std::vector<double>{}, {100}, {100, 0}}) {
    const auto found = facts_of(rates).value("slowdown_ratio");
    EXPECT_TRUE(std::holds_alternative<expression::Unknown>(found)) << rates.size();
  }
}

// The rates of five runs of scenarios/provoked/tuned.yaml on a machine beside neighbours.
TEST(HistoryFacts, ASlowRunAmongRunsThatDifferIsNoRegression) {
  EXPECT_EQ(state_of({43.1, 37.3, 45.7, 42.5, 34.2}), rule::State::quiet);
}

TEST(HistoryFacts, ASlowRunAmongEvenOnesIsARegression) {
  EXPECT_EQ(state_of({43.1, 42.3, 43.7, 42.5, 34.2}), rule::State::fired);
}

}  // namespace

}  // namespace tune::campaign
