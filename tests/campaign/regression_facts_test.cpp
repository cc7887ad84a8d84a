#include "campaign/regression_facts.h"

#include "advice/finding.h"
#include "recorded_diagnosis.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tune::campaign
