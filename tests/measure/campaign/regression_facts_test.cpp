#include "measure/campaign/regression_facts.h"

#include "advice/finding.h"
#include "recorded_diagnosis.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune::campaign {

namespace {

advice::Finding finding(const std::string& verdict,
                        const trial::PhaseSums& before,
                        const trial::PhaseSums& after) {
  const auto side = [](const trial::PhaseSums& phases) {
    return MeasuredSide{.phases = phases, .samples = 64, .processes = 6};
  };
  rule::FactTable facts;
  add_regression_facts(verdict, side(before), side(after), facts);
  return advice::find(*shipped_catalog()->find("performance-regression"), facts);
}

constexpr trial::PhaseSums kBefore = {.data_wait_ns = 50, .forward_ns = 950};

TEST(RegressionFacts, OfAGateThatRegressedAreSevere) {
  const auto found = finding("REGRESSED", kBefore, kBefore);
  EXPECT_EQ(found.state, rule::State::fired);
  EXPECT_EQ(found.severity, rule::Severity::high);
}

TEST(RegressionFacts, TellOfAPhaseThatGrewThoughTheGatePassed) {
  const trial::PhaseSums after = {.data_wait_ns = 60, .forward_ns = 950};
  const auto found = finding("PASS", kBefore, after);
  EXPECT_EQ(found.state, rule::State::fired) << found.text;
  EXPECT_EQ(found.severity, rule::Severity::medium) << "one point";
  const trial::PhaseSums much = {.data_wait_ns = 80, .forward_ns = 950};
  EXPECT_EQ(finding("PASS", kBefore, much).severity, rule::Severity::high);
}

// The backward pass takes as long as before, and more of the step.
TEST(RegressionFacts, OfAFasterSideAreQuiet) {
  const trial::PhaseSums before = {.forward_ns = 50, .backward_ns = 50};
  const trial::PhaseSums after = {.forward_ns = 30, .backward_ns = 50};
  EXPECT_EQ(finding("IMPROVED", before, after).state, rule::State::quiet);
  EXPECT_EQ(finding("PASS", before, after).state, rule::State::quiet);
  const trial::PhaseSums moved = {.forward_ns = 30, .backward_ns = 60};
  EXPECT_EQ(finding("PASS", before, moved).state, rule::State::quiet) << "it is faster as a whole";
}

TEST(RegressionFacts, OfEqualSidesAreQuiet) {
  EXPECT_EQ(finding("PASS", kBefore, kBefore).state, rule::State::quiet);
}

TEST(RegressionFacts, OfASlowerSampleAreThoseOfItsTime) {
  trial::TrialReply reply;
  trial::Slice slice;
  slice.samples = 100;
  slice.phases.forward_ns = 1'000;
  reply.slices = {slice, slice};
  MeasuredSide before, after;
  before.add(reply);
  before.add(reply);
  reply.slices.pop_back();
  reply.slices[0].phases.forward_ns = 1'200;
  after.add(reply);
  rule::FactTable facts;
  add_regression_facts("PASS", before, after, facts);
  const auto found = advice::find(*shipped_catalog()->find("performance-regression"), facts);
  EXPECT_EQ(found.state, rule::State::fired) << "20 % slower: " << found.text;
  EXPECT_EQ(found.severity, rule::Severity::medium);
}

TEST(RegressionFacts, OfAGateWithoutAnAnswerAreNotKnown) {
  const trial::PhaseSums after = {.data_wait_ns = 200, .forward_ns = 1'200};
  EXPECT_EQ(finding("PASS", kBefore, after).state, rule::State::fired);
  EXPECT_EQ(finding("INCONCLUSIVE", kBefore, after).state, rule::State::not_applicable);
}

TEST(RegressionFacts, ComeFromSlicesThatCount) {
  trial::TrialReply reply;
  reply.facts.cpus = {0, 1};
  trial::Slice slice;
  slice.samples = 100;
  slice.wall_ns = slice.phases.forward_ns = 1'000'000'000;
  reply.slices = {slice, slice};
  reply.slices[1].phases.data_wait_ns = 1'000'000'000;
  reply.slices[1].disturbance.other_cpu_ns = 1'000'000'000;
  MeasuredSide side;
  side.add(reply);
  EXPECT_EQ(side.samples, 100);
  EXPECT_EQ(side.phases.total_ns(), 1'000'000'000);
  reply.slices.erase(reply.slices.begin());
  MeasuredSide disturbed;
  disturbed.add(reply);
  EXPECT_EQ(disturbed.processes, 0);
}

TEST(RegressionFacts, OfSidesWithoutTimeLeaveTheVerdict) {
  EXPECT_EQ(finding("REGRESSED", {}, kBefore).state, rule::State::fired);
  EXPECT_EQ(finding("PASS", {}, kBefore).state, rule::State::not_applicable)
      << "nothing else is known";
}

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
