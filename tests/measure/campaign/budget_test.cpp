#include "fake_campaign.h"
#include "measure/campaign/cell_history.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_trials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace tune::campaign {

namespace {

std::string within(const std::string& budget, int cells) {
  return scenario_text(cells,
                       "{strategy: grid, confirm: 1, confirm_rounds: 6, budget: " + budget + "}");
}

}  // namespace

TEST(Budget, StaysWithinItsBudgetAndNamesWhatItLeftOut) {
  for (const std::int64_t seconds : {20, 60, 100, 130}) {
    const TestFolder folder;
    FakeCampaign campaign(folder.path(), within(std::to_string(seconds) + "s", 20));
    FakeMachine machine;
    machine.rates = {{"c05", 140}};
    const std::int64_t start_ns = machine.now_ns;
    EXPECT_EQ(campaign.sit(machine), "budget");
    EXPECT_LE(machine.now_ns - start_ns, seconds * kSecond * 105 / 100) << seconds;
    EXPECT_GE(machine.now_ns - start_ns, seconds * kSecond * 80 / 100) << seconds;
    const CampaignResult result = load_campaign(folder.path());
    EXPECT_EQ(exit_code(result), ExitCode::partial) << seconds;
    EXPECT_FALSE(result.complete);
    EXPECT_NE(result.incomplete_reason.find("budget of"), std::string::npos);
    std::int64_t complete_cells = 0;
    for (const CellResult& one : result.cells) {
      complete_cells += one.rounds == 3 ? 1 : 0;
      if (one.rounds == 0) {
        EXPECT_EQ(one.outcome, "not-run");
        EXPECT_EQ(one.reason, "budget");
      } else if (one.rounds < 3) {
        EXPECT_NE(one.reason.find("budget"), std::string::npos);
      }
    }
    EXPECT_LT(complete_cells, 21);
    EXPECT_TRUE(result.cells[0].throughput) << "the baseline's place in the round is kept free";
  }
}

TEST(Budget, TriesWhatNeverRanWithWhatABaselineWithoutMeasureLeavesOfTheBudget) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), within("180s", 2));
  FakeMachine machine;
  machine.rates = {{"c02", 4000}};
  const std::int64_t start_ns = machine.now_ns;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    machine.now_ns += spec.cell == "baseline" ? 88 * kSecond : 0;
    return std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "budget");
  EXPECT_LE(machine.now_ns - start_ns, 189 * kSecond);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.cells[0].rounds, 1);
  EXPECT_EQ(result.cells[1].rounds, 1);
  EXPECT_EQ(result.cells[2].rounds, 1);
}

TEST(Budget, MeasuresTheBaselineAndWhatRulesProposeBeforeAnythingElse) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(),
                        scenario_text(20, "{strategy: guided, confirm: 1, budget: 9s}"));
  campaign.propose = [](const RecordedRun&) {
    return Proposals{.list = {{.rule = "wait", .knobs = {{"intra_op_threads", std::int64_t{9}}}}}};
  };
  FakeMachine machine;
  campaign.sit(machine);
  ASSERT_GE(machine.ran.size(), 3U);
  EXPECT_EQ(machine.ran[0], "diagnose1-baseline");
  EXPECT_EQ(machine.ran[1], "r1-baseline");
  EXPECT_EQ(machine.ran[2], "r1-c08");
}

TEST(Budget, SaysWhatTheFirstTrialOfTheBaselineSawWhereNoneOfTheSearchCompletes) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(),
                        scenario_text(20, "{strategy: guided, confirm: 1, budget: 3s}"));
  campaign.propose = [](const RecordedRun&) { return Proposals(); };
  FakeMachine machine;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    return spec.id == "diagnose1-baseline"
               ? std::nullopt
               : std::optional(failed(runner::OutcomeKind::timed_out, "no time"));
  };
  EXPECT_EQ(campaign.sit(machine), "budget");
  const CampaignResult result = load_campaign(folder.path());
  const CellResult& baseline = result.cells[0];
  EXPECT_EQ(baseline.outcome, "completed");
  EXPECT_EQ(baseline.stage, "diagnose");
  EXPECT_EQ(baseline.reason, "a first short trial only: budget");
  ASSERT_TRUE(baseline.throughput);
  EXPECT_NEAR(baseline.throughput->value.value_or(0), 100, 5);
  EXPECT_TRUE(baseline.phases);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.baseline_failed);
  EXPECT_GT(result.budget_wanted_ns.value_or(0), 60 * kSecond);
}

TEST(Budget, WantsTimeForAllTrialsByWhatTheFirstTookWhereItTookMoreThanThereIs) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), within("60s", 4));
  FakeMachine machine;
  machine.trial_ns = 60 * kSecond;
  machine.mishap = [](const trial::TrialSpec&) {
    return std::optional(failed(runner::OutcomeKind::timed_out, "no time"));
  };
  EXPECT_EQ(campaign.sit(machine), "budget");
  EXPECT_TRUE(machine.ran.size() == 1);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.trials.empty());
  EXPECT_GE(result.budget_wanted_ns.value_or(0), result.trials_missing * 60 * kSecond);
}

TEST(Budget, KeepsTimeForTheWholeConfirmation) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), within("90s", 20));
  FakeMachine machine;
  machine.rates = {{"c05", 140}};
  campaign.sit(machine);
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->pairs, 6);
}

// Every other process of the baseline takes three times as long.
TEST(Budget, KeepsMoreTimeForThePairsOfABaselineWhoseProcessesDiffer) {
  const std::vector<std::int64_t> slow_s = {1, 3, 1, 3, 1, 3, 1, 3};
  const auto cost_of = [&](const std::vector<std::int64_t>& seconds) {
    TrialCost cost(scenario::Scenario(), 2);
    for (const std::int64_t each : seconds) {
      TrialRecord record;
      record.stage = "search";
      record.outcome.reply = make_reply("trial", 1e6 / static_cast<double>(each));
      record.outcome.end_ns = 5 * each * kSecond + kSecond;
      cost.add(0, record);
    }
    return cost;
  };
  const TrialCost even = cost_of({2, 2, 2, 2, 2, 2, 2, 2});
  EXPECT_EQ(even.of_rounds(6, {1}, 5), 6 * (even.of(0, 5) + even.of(1, 5)));
  const TrialCost uneven = cost_of(slow_s);
  EXPECT_EQ(uneven.of(0, 5), even.of(0, 5));
  // One deviation of a trial is 1 s in 2 s: of 12 trials, and of the mean of 8 before.
  const double deviation = 1.0 / 1.2816 / 2 * 11;
  const double wanted = 1.2816 * deviation * std::sqrt(2 * (6 + 36.0 / 8));
  EXPECT_NEAR(static_cast<double>(uneven.of_rounds(6, {1}, 5) - even.of_rounds(6, {1}, 5)) * 1e-9,
              wanted,
              0.01);
  EXPECT_EQ(cost_of({1, 3}).of_rounds(6, {1}, 5), even.of_rounds(6, {1}, 5)) << "too few to tell";
}

// The pairs of the first look take 14 of 25 trials that there is time for.
TEST(Budget, KeepsMoreThanHalfOfAShortBudgetForOneVerdict) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(),
                        scenario_text(20, "{strategy: grid, confirm: 1, budget: 50s}"));
  FakeMachine machine;
  machine.rates = {
      {"c05", 180}, {"c06", 180}, {"c07", 180}, {"c01", 180}, {"c02", 180}, {"c03", 180}};
  campaign.sit(machine);
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.confirmation);
  EXPECT_NE(result.confirmation->verdict, "") << result.confirmation->why;
}

TEST(Budget, GoesOnWithAPartialRunWhenItGetsAnotherBudget) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), within("40s", 6));
  FakeMachine machine;
  machine.rates = {{"c05", 140}};
  EXPECT_EQ(campaign.sit(machine), "budget");
  EXPECT_EQ(campaign.sit(machine), "budget") << "nothing is left of the budget";
  campaign.budget_ns = 3600 * kSecond;
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.confirmation->cell, "c05");
  EXPECT_EQ(result.confirmation->pairs, 6);
  EXPECT_EQ(distinct_ids(result.trials).size(), machine.ran.size()) << "no trial ran twice";
}

TEST(Budget, PairsTheSameCellsWhenThereIsRoomForMoreAfterwards) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(),
                        scenario_text(3, "{strategy: grid, confirm: 2, budget: 60s}"));
  FakeMachine machine;
  machine.rates = {{"c02", 102}, {"c03", 101}};
  machine.noise_ratio = 0.05;
  EXPECT_EQ(campaign.sit(machine), "budget");
  const CampaignResult first = load_campaign(folder.path());
  ASSERT_EQ(first.confirmations.size(), 1U);
  campaign.budget_ns = 3600 * kSecond;
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.confirmations.size(), 1U);
}

TEST(Budget, CutsATrialThatWouldTakeItOverTheBudgetWithoutBlamingTheCell) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), within("30s", 4));
  FakeMachine machine;
  const std::int64_t start_ns = machine.now_ns;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (spec.id != "r2-c02") {
      return std::nullopt;
    }
    machine.now_ns += spec.timeout_ns - machine.trial_ns;
    return failed(runner::OutcomeKind::timed_out, "no reply");
  };
  EXPECT_EQ(campaign.sit(machine), "budget");
  EXPECT_LE(machine.now_ns - start_ns, 30 * kSecond * 105 / 100);
  EXPECT_EQ(load_campaign(folder.path()).trials_failed, 0);
}

}  // namespace tune::campaign
