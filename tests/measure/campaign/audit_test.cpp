// `tune run --exhaustive`: what a search found, judged by measuring every cell.

#include "measure/campaign/audit.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <set>

namespace tune::campaign {
namespace {

constexpr std::size_t kCells = 27;

// 3 x 3 x 3 cells.
std::string guided_text(const std::string& search = "{confirm: 1}") {
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 64}\n"
         "baseline: {batch_size: 16, intra_op_threads: 1, optimizer_impl: loop}\n"
         "grid:\n  batch_size: [16, 32, 64]\n  intra_op_threads: [1, 2, 4]\n"
         "  optimizer_impl: [loop, foreach, fused]\n"
         "measure: {warmup: 2s, rounds: 3, slices: 5}\nsearch: " +
         search + "\n";
}

std::int64_t batch_of(const trial::TrialSpec& spec) {
  return std::get<std::int64_t>(spec.knobs.at("batch_size"));
}

double rate_of(const trial::TrialSpec& spec) {
  const auto threads = std::get<std::int64_t>(spec.knobs.at("intra_op_threads"));
  const auto& optimizer = std::get<std::string>(spec.knobs.at("optimizer_impl"));
  return 100 *
         (batch_of(spec) == 64   ? 1.3
          : batch_of(spec) == 32 ? 1.15
                                 : 1) *
         (threads == 2   ? 1.2
          : threads == 4 ? 1.1
                         : 1) *
         (optimizer == "fused"     ? 1.25
          : optimizer == "foreach" ? 1.1
                                   : 1);
}

std::string sit(FakeCampaign& campaign,
                FakeMachine& machine,
                const std::atomic<int>* stop = nullptr) {
  machine.before = [&](const trial::TrialSpec& spec) {
    machine.rates.try_emplace(spec.cell, rate_of(spec));
  };
  return campaign.sit(machine, stop);
}

FakeCampaign audited(const TestFolder& folder, const std::string& text = guided_text()) {
  return {folder.path(), text, {"exhaustive=true"}};
}

std::vector<TrialRecord> trials_of(const CampaignResult& result, const std::string& stage) {
  std::vector<TrialRecord> trials;
  std::copy_if(result.trials.begin(),
               result.trials.end(),
               std::back_inserter(trials),
               [&](const TrialRecord& record) { return record.stage == stage; });
  return trials;
}

std::vector<std::string> ids(const std::vector<TrialRecord>& trials) {
  std::vector<std::string> names;
  names.reserve(trials.size());
  for (const TrialRecord& trial : trials) {
    names.push_back(trial.spec.id);
  }
  return names;
}

TEST(Audit, MeasuresEveryCellInFullInEveryRoundAfterTheSearchAndBeforeThePairs) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  std::map<std::int64_t, std::set<std::string>> rounds;
  std::map<std::int64_t, std::vector<std::string>> orders;
  for (const TrialRecord& trial : trials_of(result, "audit")) {
    EXPECT_EQ(trial.outcome.reply->slices.size(), 5U);
    EXPECT_EQ(trial.spec.id, "audit" + std::to_string(trial.round) + "-" + trial.spec.cell);
    rounds[trial.round].insert(trial.spec.cell);
    orders[trial.round].push_back(trial.spec.cell);
  }
  ASSERT_EQ(rounds.size(), 3U);
  for (const auto& [round, cells] : rounds) {
    EXPECT_EQ(cells.size(), kCells) << round;
    EXPECT_TRUE(cells.contains("baseline")) << round;
  }
  EXPECT_NE(orders[1], orders[2]) << "each round has an order of its own";
  const auto stage_of = [](const TrialRecord& record) { return record.stage; };
  std::vector<std::string> stages;
  std::transform(result.trials.begin(), result.trials.end(), std::back_inserter(stages), stage_of);
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  EXPECT_EQ(stages, (std::vector<std::string>{"search", "audit", "confirm"}));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Audit, LeavesTheSearchAsItIsWithoutIt) {
  const TestFolder with, without;
  FakeMachine machine, same;
  FakeCampaign campaign = audited(with);
  sit(campaign, machine);
  FakeCampaign plain(without.path(), guided_text());
  sit(plain, same);
  EXPECT_EQ(ids(trials_of(load_campaign(with.path()), "search")),
            ids(trials_of(load_campaign(without.path()), "search")));
}

TEST(Audit, ComparesWhatTheSearchWouldHavePutFirstWithTheBest) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  sit(campaign, machine);
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.audit);
  const Audit& audit = *result.audit;
  EXPECT_TRUE(audit.is_whole);
  EXPECT_EQ(audit.reason, "");
  EXPECT_EQ(audit.pick, audit.best);
  ASSERT_TRUE(audit.found_ratio);
  EXPECT_DOUBLE_EQ(*audit.found_ratio, 1);
  EXPECT_EQ(audit.trials, static_cast<std::int64_t>(kCells) * 3);
  EXPECT_EQ(audit.cells, static_cast<std::int64_t>(kCells));
  EXPECT_EQ(audit.search_trials, static_cast<std::int64_t>(trials_of(result, "search").size()));
  EXPECT_LT(static_cast<double>(audit.search_ns), 0.25 * static_cast<double>(audit.ns))
      << "most trials of the search have one slice of five";
  EXPECT_GT(audit.search_ns, 0);
}

// The search cannot know of a cell that nothing announces; the audit sees it, and it is confirmed.
TEST(Audit, SaysHowMuchTheSearchMissedAndConfirmsTheBestOfAllCells) {
  const TestFolder clean, folder;
  FakeMachine first;
  FakeCampaign plain(clean.path(), guided_text());
  sit(plain, first);
  const CampaignResult searched = load_campaign(clean.path());
  const auto left_out =
      std::find_if(searched.cells.begin(), searched.cells.end(), [](const CellResult& cell) {
        return cell.outcome == "not-run";
      });
  ASSERT_NE(left_out, searched.cells.end());
  const std::string hidden = left_out->cell.id;

  FakeMachine machine;
  machine.rates[hidden] = 400;
  FakeCampaign campaign = audited(folder);
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.audit && result.audit->found_ratio);
  EXPECT_NEAR(*result.audit->found_ratio, 1.3 * 1.2 * 1.25 / 4, 0.02);
  EXPECT_EQ(result.audit->best, hidden);
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->cell, hidden);
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  EXPECT_EQ(result.cells[1].cell.id, hidden);
  EXPECT_EQ(result.cells[1].stage, "audit");
  EXPECT_EQ(result.cells[1].rounds, 3);
}

TEST(Audit, ShowsEveryCellWithItsRoundsOfTheAudit) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  sit(campaign, machine);
  for (const CellResult& cell : load_campaign(folder.path()).cells) {
    EXPECT_EQ(cell.outcome, "completed") << cell.cell.id;
    EXPECT_EQ(cell.stage, "audit") << cell.cell.id;
    EXPECT_EQ(cell.rounds, 3) << cell.cell.id;
  }
}

TEST(Audit, LeavesOutCellsThatMayNotBeMeasured) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return batch_of(spec) > 16
               ? std::optional(failed(runner::OutcomeKind::out_of_memory, "bad_alloc"))
               : std::nullopt;
  };
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  std::set<std::string> ran_out;
  for (const TrialRecord& trial : trials_of(result, "search")) {
    if (trial.outcome.kind == runner::OutcomeKind::out_of_memory) {
      ran_out.insert(trial.spec.cell);
    }
  }
  EXPECT_FALSE(ran_out.empty());
  for (const TrialRecord& trial : trials_of(result, "audit")) {
    EXPECT_FALSE(ran_out.contains(trial.spec.cell)) << trial.spec.id;
  }
  ASSERT_TRUE(result.audit && result.audit->found_ratio);
  EXPECT_NEAR(*result.audit->found_ratio, 1, 0.05);
  EXPECT_TRUE(result.complete);
}

TEST(Audit, GoesOnAfterAStopExactlyAsIfThereHadBeenNone) {
  const TestFolder whole, cut;
  FakeMachine machine;
  FakeCampaign uninterrupted = audited(whole);
  sit(uninterrupted, machine);
  FakeMachine again;
  FakeCampaign campaign = audited(cut);
  std::vector<std::string> ran;
  while (ran.size() < machine.ran.size()) {
    std::atomic<int> stop = 0;
    FakeMachine part = again;
    part.ran.clear();
    part.mishap = [&](const trial::TrialSpec&) -> std::optional<runner::TrialOutcome> {
      stop = part.ran.size() == 7 ? 1 : 0;
      return std::nullopt;
    };
    sit(campaign, part, &stop);
    ASSERT_FALSE(part.ran.empty());
    ran.insert(ran.end(), part.ran.begin(), part.ran.end());
    again.now_ns = part.now_ns;
  }
  EXPECT_EQ(ran, machine.ran);
}

TEST(Audit, ThatABudgetCutsIsSaidToBeIncompleteAndGoesOnWithALargerOne) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  campaign.budget_ns = 200 * kSecond;
  EXPECT_EQ(sit(campaign, machine), "budget");
  CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.audit);
  EXPECT_TRUE(result.audit->has_begun);
  EXPECT_FALSE(result.audit->is_whole);
  EXPECT_FALSE(result.audit->found_ratio);
  EXPECT_EQ(result.audit->trials + result.audit->trials_missing,
            static_cast<std::int64_t>(kCells) * 3);
  EXPECT_NE(result.audit->reason.find("incomplete"), std::string::npos);
  ASSERT_TRUE(result.confirmation) << "a share of the budget is kept for it";
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  EXPECT_EQ(exit_code(result), ExitCode::partial);
  EXPECT_GT(result.trials_missing, 0);
  EXPECT_TRUE(result.budget_wanted_ns);

  campaign.budget_ns = 1000 * kSecond;
  EXPECT_EQ(sit(campaign, machine), "finished");
  result = load_campaign(folder.path());
  EXPECT_TRUE(result.audit->is_whole);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Audit, OfAGridThatIsMeasuredWholeSaysThatThereIsNothingToDo) {
  for (const char* const search : {"{strategy: grid, confirm: 1}", "{strategy: random}"}) {
    const TestFolder folder;
    FakeCampaign campaign = audited(folder, guided_text(search));
    FakeMachine machine;
    EXPECT_EQ(sit(campaign, machine), "finished");
    const CampaignResult result = load_campaign(folder.path());
    EXPECT_TRUE(trials_of(result, "audit").empty());
    ASSERT_TRUE(result.audit);
    EXPECT_FALSE(result.audit->has_begun);
    EXPECT_TRUE(result.audit->reason.starts_with("nothing to audit: strategy "))
        << result.audit->reason;
    EXPECT_TRUE(result.complete);
  }
  const TestFolder folder;
  FakeCampaign small(folder.path(), scenario_text(4, "{confirm: 1}"), {"exhaustive=true"});
  FakeMachine machine;
  small.sit(machine);
  EXPECT_EQ(load_campaign(folder.path()).audit->reason,
            "nothing to audit: a guided search measures a grid of 5 cells whole (fewer than 16)");
}

TEST(Audit, OfARandomSearchThatABudgetEndedComesWithALargerBudget) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder, guided_text("{strategy: random, budget: 100s}"));
  FakeMachine machine;
  EXPECT_EQ(sit(campaign, machine), "budget");
  EXPECT_EQ(exit_code(load_campaign(folder.path())), ExitCode::partial);
  campaign.budget_ns = 1000 * kSecond;
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.audit && result.audit->found_ratio);
  EXPECT_LE(*result.audit->found_ratio, 1);
  EXPECT_LT(result.audit->search_trials, result.audit->trials);
}

TEST(Audit, WhosePickFailsInItHasNoShareAndSaysWhy) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.id.starts_with("audit") && rate_of(spec) > 190
               ? std::optional(failed(runner::OutcomeKind::crashed, "SIGSEGV"))
               : std::nullopt;
  };
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.audit);
  EXPECT_TRUE(result.audit->is_whole);
  EXPECT_FALSE(result.audit->found_ratio);
  EXPECT_NE(result.audit->reason.find("failed in the audit"), std::string::npos);
  const auto crashed =
      std::find_if(result.cells.begin(), result.cells.end(), [](const CellResult& cell) {
        return cell.outcome == "crashed";
      });
  ASSERT_NE(crashed, result.cells.end());
  EXPECT_NE(crashed->reason.find("(audit, round 1)"), std::string::npos);
}

TEST(Audit, OfABaselineThatFailsEndsTheRun) {
  const TestFolder folder;
  FakeCampaign campaign = audited(folder);
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.id.starts_with("audit") && spec.cell == "baseline"
               ? std::optional(failed(runner::OutcomeKind::out_of_memory, "bad_alloc"))
               : std::nullopt;
  };
  EXPECT_EQ(sit(campaign, machine), "baseline-failed");
  EXPECT_EQ(exit_code(load_campaign(folder.path())), ExitCode::negative_verdict);
}

}  // namespace
}  // namespace tune::campaign
