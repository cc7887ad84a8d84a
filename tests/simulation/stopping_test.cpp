// A budget ends a campaign wherever it is: what is said then must be what is known.

#include "known_grid.h"
#include "measure/campaign/summarise.h"
#include "report/headline.h"
#include "run_campaign.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::simulation {
namespace {

constexpr double kSecond = 1e9;

// Cells of which some take six times as long as others, on a machine that drifts.
campaign::CampaignResult run_with_budget(std::int64_t budget_s) {
  const KnownGrid known =
      known_grid(search::simulated_grid("pipeline", {4, 3, 2, 2}, 7),
                 noise::drifting(),
                 static_cast<std::uint64_t>(budget_s),
                 "strategy: guided, confirm: 2, budget: " + std::to_string(budget_s) + "s");
  fake::InProcessWorker worker(known.script);
  return run_campaign(known.scenario, worker);
}

std::vector<std::int64_t> budgets_s() {
  return {20, 30, 45, 60, 80, 100, 120, 150, 180, 220, 260, 300, 360, 450, 600};
}

bool is_judged(const campaign::CampaignResult& result) {
  return result.confirmation && !result.confirmation->verdict.empty();
}

// When the same trials would have ended if one began whenever there is time left.
double naive_end_s(const campaign::CampaignResult& unlimited, double budget_s) {
  double elapsed_s = 0;
  for (const campaign::TrialRecord& trial : unlimited.trials) {
    if (elapsed_s >= budget_s) {
      break;
    }
    elapsed_s += static_cast<double>(trial.outcome.end_ns - trial.outcome.start_ns) / kSecond;
  }
  return elapsed_s;
}

TEST(Stopping, EndsWithinFivePercentOfTheBudget) {
  const campaign::CampaignResult unlimited = run_with_budget(36'000);
  ASSERT_TRUE(unlimited.complete);
  std::size_t naive_overruns = 0;
  for (const std::int64_t budget_s : budgets_s()) {
    const auto limit_s = 1.05 * static_cast<double>(budget_s);
    const double elapsed_s = static_cast<double>(run_with_budget(budget_s).elapsed_ns) / kSecond;
    EXPECT_LE(elapsed_s, limit_s);
    naive_overruns += naive_end_s(unlimited, static_cast<double>(budget_s)) > limit_s ? 1 : 0;
  }
  EXPECT_GE(naive_overruns, 1U) << "a budget that is merely looked at would do as well";
}

TEST(Stopping, SaysOnlyWhatFreshPairsHaveShown) {
  std::size_t provisional = 0, judged = 0, looked_good = 0;
  for (const std::int64_t budget_s : budgets_s()) {
    SCOPED_TRACE(std::to_string(budget_s) + " s");
    const campaign::CampaignResult result = run_with_budget(budget_s);
    const std::string text = report::headline(result);
    const report::Conclusion conclusion = report::conclude(result);
    if (is_judged(result)) {
      ++judged;
      EXPECT_FALSE(result.confirmation->looks.empty());
      EXPECT_GE(result.confirmation->pairs, result.confirmation->looks.front().pairs);
      continue;
    }
    ++provisional;
    EXPECT_NE(conclusion.standing, report::Standing::faster);
    EXPECT_EQ(exit_code(result), ExitCode::partial);
    EXPECT_FALSE(conclusion.doubt.empty());
    EXPECT_NE(text.find("rovisional"), std::string::npos) << text;
    EXPECT_NE(result.incomplete_reason.find("budget of"), std::string::npos);
    EXPECT_GT(result.trials_missing, 0);
    EXPECT_TRUE(result.budget_wanted_ns);
    looked_good +=
        conclusion.best != nullptr && conclusion.best->gain->value.value_or(0) > 0.01 ? 1 : 0;
  }
  EXPECT_GE(provisional, 2U);
  EXPECT_GE(looked_good, 2U) << "nothing was there to be printed too early";
  EXPECT_GE(judged, 2U);
}

TEST(Stopping, GivesAReasonForEveryCellThatWasNotMeasured) {
  for (const std::int64_t budget_s : budgets_s()) {
    const campaign::CampaignResult result = run_with_budget(budget_s);
    EXPECT_EQ(result.cells.size(), 48U);
    for (const campaign::CellResult& cell : result.cells) {
      EXPECT_TRUE(cell.outcome == "completed" || !cell.reason.empty()) << cell.cell.id;
      EXPECT_NE(cell.reason, "the run was cut off") << cell.cell.id;
    }
  }
}

TEST(Stopping, ABudgetThatIsEnoughChangesNothing) {
  const campaign::CampaignResult result = run_with_budget(3'600);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_LT(static_cast<double>(result.elapsed_ns), 3'600 * kSecond);
  EXPECT_TRUE(is_judged(result));
}

}  // namespace
}  // namespace tune::simulation
