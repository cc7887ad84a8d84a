#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

// 3 x 3 x 3 = 27 cells.
std::string guided_text(const std::string& rest = "") {
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 64}\n"
         "baseline: {batch_size: 16, intra_op_threads: 1, optimizer_impl: loop}\n"
         "grid:\n  batch_size: [16, 32, 64]\n  intra_op_threads: [1, 2, 4]\n"
         "  optimizer_impl: [loop, foreach, fused]\n"
         "measure: {warmup: 2s, rounds: 3, slices: 5}\n" +
         rest;
}

double rate_of(const trial::TrialSpec& spec) {
  double rate = 100;
  const auto batch = std::get<std::int64_t>(spec.knobs.at("batch_size"));
  const auto threads = std::get<std::int64_t>(spec.knobs.at("intra_op_threads"));
  const auto& optimizer = std::get<std::string>(spec.knobs.at("optimizer_impl"));
  rate *= batch == 64 ? 1.3 : batch == 32 ? 1.15 : 1;
  rate *= threads == 2 ? 1.2 : threads == 4 ? 1.1 : 1;
  rate *= optimizer == "fused" ? 1.25 : optimizer == "foreach" ? 1.1 : 1;
  return rate;
}

// Sets the rate of the cell that is about to run.
std::string sit(FakeCampaign& campaign,
                FakeMachine& machine,
                const std::atomic<int>* stop = nullptr) {
  machine.before = [&](const trial::TrialSpec& spec) { machine.rates[spec.cell] = rate_of(spec); };
  return campaign.sit(machine, stop);
}

TEST(GuidedCampaign, FindsAndConfirmsTheBestWithAFractionOfTheTrials) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), guided_text("search: {confirm: 1}\n"));
  FakeMachine machine;
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  const CellResult& best = result.cells[1];
  EXPECT_EQ(best.cell.id, result.confirmation->cell);
  EXPECT_GT(std::log(rate_of(result.trials.back().spec) / 100), -1);
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 1.3 * 1.2 * 1.25 - 1, 0.06);
  EXPECT_LT(machine.ran.size(), 60U) << "27 cells x 3 rounds + pairs would be 95";
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_FALSE(result.search_ended.empty());
}

TEST(GuidedCampaign, GivesAReasonForEveryCellThatItLeftOut) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), guided_text());
  FakeMachine machine;
  sit(campaign, machine);
  const CampaignResult result = load_campaign(folder.path());
  std::size_t left_out = 0;
  for (const CellResult& cell : result.cells) {
    left_out += cell.outcome == "not-run" ? 1 : 0;
    EXPECT_FALSE(cell.outcome == "not-run" && cell.reason.empty()) << cell.cell.id;
    EXPECT_NE(cell.reason, "the run was cut off") << cell.cell.id;
  }
  EXPECT_GT(left_out, 0U);
}

TEST(GuidedCampaign, GoesOnAfterAStopExactlyAsIfThereHadBeenNone) {
  const TestFolder whole, cut;
  FakeMachine machine;
  FakeCampaign uninterrupted(whole.path(), guided_text());
  sit(uninterrupted, machine);
  FakeCampaign campaign(cut.path(), guided_text());
  const auto ran = ran_in_short_sittings(
      4, machine.ran.size(), [&](FakeMachine& part, const std::atomic<int>* stop) {
        sit(campaign, part, stop);
      });
  EXPECT_EQ(ran, machine.ran);
}

TEST(GuidedCampaign, LeavesOutLargerBatchesOfACellThatRanOutOfMemory) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), guided_text());
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return std::get<std::int64_t>(spec.knobs.at("batch_size")) > 16
               ? std::optional(failed(runner::OutcomeKind::out_of_memory, "bad_alloc"))
               : std::nullopt;
  };
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  ASSERT_TRUE(result.confirmation);
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 1.2 * 1.25 - 1, 0.06);
}

TEST(GuidedCampaign, ShowsACellThatBreaksAConstraintAndNeverRecommendsIt) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), guided_text("constraints: {throughput: {max: 150}}\n"));
  FakeMachine machine;
  machine.noise_ratio = 0.001;
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.confirmation);
  EXPECT_LT(result.confirmation->best.value, 150);
  EXPECT_GT(result.confirmation->best.value, 140);
  const bool shown = std::any_of(result.cells.begin(), result.cells.end(), [](const auto& cell) {
    return !cell.broken_constraints.empty() &&
           cell.reason.find("is above 150") != std::string::npos;
  });
  EXPECT_TRUE(shown);
}

TEST(GuidedCampaign, NeverConfirmsAGainWhereAllCellsAreEqual) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), guided_text());
  FakeMachine machine;
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  for (const Confirmation& row : result.confirmations) {
    EXPECT_NE(row.verdict, "confirmed");
    ASSERT_FALSE(row.looks.empty());
    EXPECT_LE(row.looks.back().alpha_total, 0.025 + 1e-12);
  }
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(GuidedCampaign, LooksForTheSteadyStateOnceWhenItsLengthIsLeftOpen) {
  const TestFolder folder;
  std::string text = guided_text();
  text.replace(text.find("warmup: 2s"), 10, "warmup: auto");
  FakeCampaign campaign(folder.path(), text);
  FakeMachine machine;
  std::vector<bool> searching;
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    searching.push_back(spec.measure.find_warmup);
    return std::nullopt;
  };
  sit(campaign, machine);
  EXPECT_EQ(machine.ran.front(), "warmup1-baseline");
  EXPECT_EQ(std::count(searching.begin(), searching.end(), true), 1);
  EXPECT_EQ(exit_code(load_campaign(folder.path())), ExitCode::fine);
}

// A script that resets the optimizer runs as without the change, and noise makes it look faster.
TEST(GuidedCampaign, ConfirmsACellWithoutTheChangesThatNoTrialSawInEffect) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(),
                        "tune: 1\nname: fake\n"
                        "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
                        "data: {source: synthetic, samples: 64}\n"
                        "baseline: {batch_size: 16, optimizer_impl: loop}\n"
                        "grid: {batch_size: [16, 64], optimizer_impl: [loop, fused]}\n"
                        "measure: {warmup: 2s, rounds: 3, slices: 5}\n"
                        "search: {strategy: grid, confirm: 1, confirm_rounds: 6}\n");
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    const bool is_fused = spec.knobs.at("optimizer_impl") == trial::KnobValue("fused");
    const bool is_large = spec.knobs.at("batch_size") == trial::KnobValue(std::int64_t{64});
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply =
        make_reply(spec.id, (is_large ? 130 : 100) * (is_fused ? 1.03 : 1), spec.measure.slices);
    if (is_fused) {
      outcome.reply->ignored_knobs = {{"optimizer_impl", "nothing in this script takes it"}};
    }
    write_file_synced(std::filesystem::path(spec.folder) / "reply.json",
                      trial::to_json(*outcome.reply));
    return std::optional(outcome);
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_TRUE(result.confirmation);
  const CellResult* const best = result.find_cell(result.confirmation->cell);
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->cell.changed, (trial::KnobSettings{{"batch_size", std::int64_t{64}}}));
  EXPECT_EQ(result.cells.size(), 4U) << "the others are in the table, behind it";
}

}  // namespace
}  // namespace tune::campaign
