#include "measure/gate/policy.h"

#include "base/error.h"
#include "measure/gate/fingerprint.h"

#include <gtest/gtest.h>

#include <functional>

namespace tune::gate {

namespace {

Policy two_metrics() {
  Policy policy;
  policy.budgets = {{"epoch_time"}, {"throughput"}};
  return policy;
}

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Policy, ABudgetIsForAllMetricsOrForThoseThatAreNamed) {
  Policy policy = two_metrics();
  apply_budget(policy, "3%", "--budget");
  EXPECT_DOUBLE_EQ(policy.budgets[0].ratio, 0.03);
  EXPECT_DOUBLE_EQ(policy.budgets[1].ratio, 0.03);
  apply_budget(policy, "throughput=0.07,peak_memory_bytes=10%", "--budget");
  EXPECT_DOUBLE_EQ(policy.budgets[0].ratio, 0.03);
  EXPECT_DOUBLE_EQ(policy.budgets[1].ratio, 0.07);
  ASSERT_EQ(policy.budgets.size(), 3U);
  EXPECT_DOUBLE_EQ(policy.budgets[2].ratio, 0.1);
}

TEST(Policy, CountsMayHaveABudgetOfNothing) {
  Policy policy;
  apply_budget(policy, "operators=0%", "--budget");
  ASSERT_EQ(policy.structural.size(), 1U);
  EXPECT_DOUBLE_EQ(policy.structural[0].ratio, 0);
  EXPECT_NE(complaint([&] { apply_budget(policy, "throughput=0%", "--budget"); }), "");
}

TEST(Policy, ABudgetOfNothingOrOfEverythingIsRefused) {
  for (const char* text : {"0", "0%", "100%", "1", "150%", "three", "", "epoch_time=0%"}) {
    Policy policy = two_metrics();
    EXPECT_NE(complaint([&] { apply_budget(policy, text, "--budget"); }), "") << text;
  }
}

TEST(Policy, AnUnknownMetricGetsASuggestion) {
  Policy policy = two_metrics();
  const std::string text = complaint([&] { choose_metrics(policy, {"throughputs"}, "--metrics"); });
  EXPECT_NE(text.find("unknown metric 'throughputs'"), std::string::npos);
  EXPECT_NE(text.find("throughput?"), std::string::npos);
}

TEST(Policy, CountedMetricsAreKeptApartFromMeasuredOnes) {
  Policy policy = two_metrics();
  choose_metrics(policy, {"throughput", "operators", "throughput"}, "--metrics");
  ASSERT_EQ(policy.budgets.size(), 1U);
  ASSERT_EQ(policy.structural.size(), 1U);
  EXPECT_EQ(policy.structural[0].ratio, 0);
}

TEST(Policy, ChosenMetricsKeepTheBudgetThatTheyHad) {
  Policy policy = two_metrics();
  apply_budget(policy, "throughput=2%,operators=1%", "--budget");
  choose_metrics(policy, {"operators", "throughput", "peak_memory_bytes"}, "--metrics");
  EXPECT_EQ(policy.budgets[0], (Budget{"throughput", 0.02}));
  EXPECT_EQ(policy.structural[0], (Budget{"operators", 0.01}));
}

TEST(Policy, LooksAscendAndBeginWhereSomethingCanBeCalled) {
  Policy policy = two_metrics();
  choose_looks(policy, "12,20", "--looks");
  EXPECT_EQ(policy.looks, (std::vector<std::int64_t>{12, 20}));
  check_policy(policy);
  EXPECT_NE(complaint([&] { choose_looks(policy, "12,12", "--looks"); }), "");
  EXPECT_NE(complaint([&] { choose_looks(policy, "12,x", "--looks"); }), "");
  choose_looks(policy, "5", "--looks");
  EXPECT_NE(complaint([&] { check_policy(policy); }).find("below 9 pairs"), std::string::npos);
}

TEST(Policy, WithoutLooksTheScheduleIsThatOfTheNumberOfRows) {
  Policy policy;
  policy.budgets = {{"throughput"}};
  EXPECT_EQ(look_schedule(policy).pairs, (std::vector<std::int64_t>{10, 16, 24}));
  policy.budgets.push_back({"epoch_time"});
  EXPECT_EQ(look_schedule(policy).pairs.front(), 11);
}

TEST(Policy, ABudgetBelowTheSmallestEffectOfInterestIsRefused) {
  Policy policy = two_metrics();
  policy.budgets[0].ratio = 0.005;
  EXPECT_NE(complaint([&] { check_policy(policy); }).find("--min-effect"), std::string::npos);
}

TEST(Policy, WhatIsAcceptedHasALargerBudgetUntilItsDay) {
  Policy policy = {.budgets = {{"throughput", 0.03}, {"epoch_time", 0.03}}};
  accept_rows(policy,
              {{"throughput", 0.06, "2026-11-24", "a better crop"},
               {"epoch_time", 0.5, "2026-11-23", "long ago"},
               {"operators", 0.1, "2026-12-01", "not gated"},
               {"throughput", 0.05, "2026-12-01", "smaller than the other"}},
              "2026-11-24");
  EXPECT_DOUBLE_EQ(policy.budgets[0].ratio, 0.06);
  EXPECT_DOUBLE_EQ(policy.budgets[1].ratio, 0.03);
  EXPECT_EQ(policy.accepted,
            (std::vector<std::string>{
                "accepted until 2026-11-24: throughput may get worse by 6% instead of 3% (a better "
                "crop)",
                "what was accepted of epoch_time counts no more, it ended on 2026-11-23 (long "
                "ago)"}));
}

TEST(Policy, AnAcceptedRowThatDoesNotExistIsRefused) {
  Policy policy;
  EXPECT_THROW(accept_rows(policy, {{"speed", 0.06, "2027-01-01", "x"}}, "2026-11-24"), Error);
  EXPECT_THROW(accept_rows(policy, {{"throughput", 0, "2027-01-01", "x"}}, "2026-11-24"), Error);
}

TEST(Metric, WorseIsAboveZeroWhateverTheDirection) {
  EXPECT_GT(log_worsening(*find_metric("throughput"), 100, 90), 0);
  EXPECT_GT(log_worsening(*find_metric("epoch_time"), 100, 110), 0);
  EXPECT_LT(log_worsening(*find_metric("peak_memory_bytes"), 100, 90), 0);
}

Fingerprint sample() {
  Fingerprint print;
  print.device = "cpu";
  print.cpu_model = "Some CPU";
  print.cpus = 4;
  print.torch_version = "2.11.0";
  print.cpu_capability = "AVX512";
  print.scenario_sha256 = "ab";
  print.data_sha256 = "cd";
  return print;
}

TEST(Fingerprint, EverythingThatDiffersIsThereAndTheFirstIsTheSentence) {
  Fingerprint now = sample();
  EXPECT_TRUE(differences(sample(), now).empty());
  EXPECT_EQ(difference(sample(), now), "");
  now.data_sha256 = "ef";
  EXPECT_EQ(difference(sample(), now), "it was measured with other data");
  now.scenario_sha256 = "ef";
  EXPECT_EQ(difference(sample(), now), "it was measured with another text of the scenario");
  now.torch_version = "2.12.0";
  now.cpus = 2;
  now.variables = {"OMP_NUM_THREADS=2"};
  EXPECT_EQ(difference(sample(), now), "it was measured with CPUs 4, now it is 2");
  const auto all = differences(sample(), now);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[1].what, "variables");
  EXPECT_EQ(all[1].then, "none");
  EXPECT_EQ(all[2].what, kLibTorch);
  EXPECT_EQ(all[2].now, "2.12.0");
  EXPECT_EQ(all[3].what, kScenarioText);
  EXPECT_EQ(all[4].what, kData);
}

TEST(Fingerprint, WhatWasProbedHoldsForCpuAndGpu) {
  machine::MachineFacts cpu, gpu;
  gpu.device = "cuda";
  EXPECT_NE(machine_id(cpu), machine_id(gpu));
  EXPECT_EQ(probed_machine_id(cpu), probed_machine_id(gpu));
}

TEST(Fingerprint, AWorkerThatHasNotToldYetIsNotCompared) {
  Fingerprint now = sample();
  now.torch_version = now.cpu_capability = "";
  EXPECT_EQ(difference(sample(), now), "");
  EXPECT_EQ(difference(now, sample()), "");
}

}  // namespace

}  // namespace tune::gate
