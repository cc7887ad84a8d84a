#include "advice/rule/rank_facts.h"

#include "rank_traces.h"

#include <gtest/gtest.h>

namespace tune::rule {
namespace {

using expression::Number;
using expression::Unknown;
using expression::Value;
using profile::row;
using rank::all_reduce;
using rank::pair_of;
using rank::RankSummary;
using rank::summary_of;

std::string step(const std::string& dur) {
  return row("user_annotation", "ProfilerStep#1", "0", dur);
}

FactTable facts_of(const std::vector<RankSummary>& ranks) {
  FactTable facts;
  add_rank_facts(ranks, facts);
  return facts;
}

double number(const FactTable& facts, const char* name) {
  return std::get<Number>(std::get<Value>(facts.value(name)).data).value;
}

std::string reason(const FactTable& facts, const char* name) {
  return std::get<Unknown>(facts.value(name)).reason;
}

// Both steps take 200 us, for the first rank waits for the second in 30 of them.
std::vector<RankSummary> late_second() {
  return pair_of(summary_of(0, step("200") + "," + all_reduce("100", "50")),
                 summary_of(1, step("200") + "," + all_reduce("130", "20")));
}

TEST(RankFacts, AreOfTheRanksOwnTime) {
  const FactTable facts = facts_of(late_second());
  EXPECT_EQ(number(facts, "rank_count"), 2);
  EXPECT_NEAR(number(facts, "rank_step_time_max"), 200e-6, 1e-12);
  EXPECT_NEAR(number(facts, "rank_step_time_min"), 170e-6, 1e-12);
  EXPECT_NEAR(number(facts, "rank_step_time_median"), 185e-6, 1e-12);
  EXPECT_EQ(number(facts, "last_rank"), 1);
  EXPECT_NEAR(number(facts, "straggler_z"), 0.6745, 1e-9);
  EXPECT_EQ(pacing_rank(late_second()), 1U);
}

TEST(RankFacts, CountNoWaitThatAKernelHides) {
  const auto ranks = pair_of(summary_of(0,
                                        step("200") + "," + row("kernel", "gemm", "100", "50") +
                                            "," + all_reduce("100", "50")),
                             summary_of(1, step("200") + "," + all_reduce("130", "20")));
  EXPECT_NEAR(number(facts_of(ranks), "rank_step_time_min"), 200e-6, 1e-12);
}

TEST(RankFacts, TellOfTheSlowestWhereNoOrderIsTold) {
  const auto ranks = pair_of(summary_of(0, step("300")), summary_of(1, step("200")));
  const FactTable facts = facts_of(ranks);
  EXPECT_NEAR(number(facts, "rank_step_time_max"), 300e-6, 1e-12);
  EXPECT_NE(reason(facts, "last_rank"), "");
  EXPECT_EQ(pacing_rank(ranks), 0U);
}

TEST(RankFacts, NeedTwoRanksWithSteps) {
  std::vector<RankSummary> one;
  one.push_back(summary_of(0, step("300")));
  EXPECT_NE(reason(facts_of(one), "rank_step_time_max"), "");
  const auto empty = pair_of(
      summary_of(0, step("300")),
      summary_of(
          1,
          R"({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 4}})"));
  EXPECT_NE(reason(facts_of(empty), "rank_count"), "");
}

TEST(RankFacts, HaveNoScoreWhereMostRanksAreAlike) {
  std::vector<RankSummary> ranks;
  for (int i = 0; i < 3; ++i) {
    ranks.push_back(summary_of(i, step(i == 2 ? "300" : "200")));
  }
  EXPECT_EQ(reason(facts_of(ranks), "straggler_z"), "most ranks take equally long");
}

}  // namespace
}  // namespace tune::rule
