// What the rules propose before the search: tried first, recorded, proven on a ladder.

#include "fake_campaign.h"
#include "machine/page_cache.h"
#include "measure/campaign/ceiling.h"
#include "measure/campaign/page_cache.h"
#include "measure/campaign/proposal.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::campaign {
namespace {

using Settings = trial::KnobSettings;

// 3 x 3 x 3 = 27 cells.
std::string loop_text() {
  return "tune: 1\nname: fake\n"
         "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
         "data: {source: synthetic, samples: 64}\n"
         "baseline: {batch_size: 16, intra_op_threads: 1, optimizer_impl: loop}\n"
         "grid:\n  batch_size: [16, 32, 64]\n  intra_op_threads: [1, 2, 4]\n"
         "  optimizer_impl: [loop, foreach, fused]\n"
         "measure: {warmup: 2s, rounds: 3, slices: 5}\nsearch: {confirm: 1}\n";
}

// The same, every cell measured, none before the search.
std::string grid_text() {
  std::string text = loop_text();
  const std::string before = "search: {";
  text.replace(text.find(before), before.size(), "search: {strategy: grid, ");
  return text;
}

double rate_of(const trial::TrialSpec& spec) {
  const auto batch = std::get<std::int64_t>(spec.knobs.at("batch_size"));
  const auto threads = std::get<std::int64_t>(spec.knobs.at("intra_op_threads"));
  const auto& optimizer = std::get<std::string>(spec.knobs.at("optimizer_impl"));
  double rate = 100;
  rate *= batch == 64 ? 1.3 : batch == 32 ? 1.15 : 1;
  rate *= threads == 2 ? 1.2 : threads == 3 ? 1.25 : threads == 4 ? 0.8 : 1;
  return rate * (optimizer == "fused" ? 1.25 : optimizer == "foreach" ? 1.1 : 1);
}

Settings threads(std::int64_t count) {
  return {{"intra_op_threads", count}};
}

Settings fused() {
  return {{"optimizer_impl", std::string("fused")}};
}

Proposal proposal(const std::string& rule, const Settings& knobs) {
  return {.rule = rule, .knobs = knobs, .lower = 0.1, .upper = 0.3};
}

class ClosedLoop : public testing::Test {
 protected:
  std::string sit(FakeCampaign& campaign,
                  FakeMachine& machine,
                  const std::atomic<int>* stop = nullptr) {
    machine.before = [&](const trial::TrialSpec& spec) {
      machine.rates[spec.cell] = rate_of(spec);
    };
    campaign.propose = [this](const RecordedRun& run) {
      ++asked_;
      last_before_ = run.trials.empty() ? "" : run.trials.back().spec.id;
      for (const TrialRecord& trial : run.trials) {
        EXPECT_EQ(trial.spec.cell, "baseline") << "nothing else may depend on the order";
      }
      return proposals_;
    };
    return campaign.sit(machine, stop);
  }

  Proposals proposals_{.list = {proposal("threads", threads(2)), proposal("fused", fused())}};
  int asked_ = 0;
  std::string last_before_;  // the trial after which the rules were asked
};

std::size_t place(const std::vector<std::string>& ids, const std::string& id) {
  return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

TEST_F(ClosedLoop, AsksAfterTheBaselineAndTriesWhatIsProposedInTheFirstRound) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text());
  FakeMachine machine;
  EXPECT_EQ(sit(campaign, machine), "finished");
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(machine.ran.front(), "diagnose1-baseline");
  const RecordedRun run = read_recorded_run(folder.path());
  ASSERT_TRUE(run.ledger.proposals);
  EXPECT_EQ(*run.ledger.proposals, proposals_);
  const std::size_t second_round = place(machine.ran, "r2-baseline");
  for (const Settings& changed : {threads(2), fused()}) {
    const auto cell = cell_with(run.plan, changed);
    ASSERT_TRUE(cell);
    EXPECT_LT(place(machine.ran, "r1-" + run.plan.cells[*cell].id), machine.ran.size());
  }
  EXPECT_LT(second_round, machine.ran.size());
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 1.3 * 1.2 * 1.25 - 1, 0.06);
  EXPECT_TRUE(result.complete);
}

TEST_F(ClosedLoop, WithoutVerificationHasNeitherConfirmationNorLadder) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text(), {"verify=none"});
  FakeMachine machine;
  EXPECT_EQ(sit(campaign, machine), "finished");
  EXPECT_EQ(asked_, 1) << "the rules still say what to try first";
  for (const std::string& id : machine.ran) {
    EXPECT_FALSE(id.starts_with("confirm") || id.starts_with("ladder") || id.starts_with("epoch"))
        << id;
  }
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_EQ(result.trials_missing, 0);
  EXPECT_FALSE(result.confirmation);
  EXPECT_TRUE(result.ladder.empty());
  FakeMachine again;
  EXPECT_EQ(sit(campaign, again), "finished");
  EXPECT_TRUE(again.ran.empty());
}

TEST_F(ClosedLoop, MeasuresTheLadderInFreshPairsAndShowsTheInteraction) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text());
  FakeMachine machine;
  machine.noise_ratio = 0.002;
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_EQ(result.ladder.size(), 2U);
  const LadderRung& first = result.ladder[0];
  EXPECT_EQ(first.rules, std::vector<std::string>{"threads"});
  ASSERT_TRUE(first.pairs);
  EXPECT_EQ(first.pairs->verdict, "confirmed");
  EXPECT_NEAR(first.pairs->gain.value.value_or(0), 0.2, 0.02);
  EXPECT_NEAR(*first.step_gain, 0.2, 0.02);
  EXPECT_FALSE(first.product);
  ASSERT_TRUE(first.pairs->attribution);
  EXPECT_NEAR(first.pairs->attribution->phases[2].share, 1, 1e-12) << "all of it is forward";
  const LadderRung& second = result.ladder[1];
  EXPECT_EQ(second.rules, (std::vector<std::string>{"threads", "fused"}));
  ASSERT_TRUE(second.pairs);
  EXPECT_NEAR(second.pairs->gain.value.value_or(0), 1.2 * 1.25 - 1, 0.03);
  EXPECT_NEAR(*second.step_gain, 0.25, 0.03);
  ASSERT_TRUE(second.product && second.interaction);
  EXPECT_NEAR(*second.product, 1.2 * 1.25 - 1, 0.04);
  EXPECT_NEAR(*second.interaction, 0, 0.03);
  EXPECT_NE(second.product_reason.find("from the search"), std::string::npos)
      << second.product_reason;
}

TEST_F(ClosedLoop, GoesOnAfterAStopExactlyAsIfThereHadBeenNone) {
  const TestFolder whole, cut;
  FakeCampaign uninterrupted(whole.path(), loop_text());
  FakeMachine machine;
  sit(uninterrupted, machine);
  FakeCampaign campaign(cut.path(), loop_text());
  asked_ = 0;
  const auto ran = ran_in_short_sittings(
      3, machine.ran.size(), [&](FakeMachine& part, const std::atomic<int>* stop) {
        sit(campaign, part, stop);
      });
  EXPECT_EQ(ran, machine.ran);
  EXPECT_EQ(asked_, 1) << "then the ledger has the answer";
}

TEST_F(ClosedLoop, AGridAsksWhenItsBaselineHasRunAndProvesWhatIsProposed) {
  const TestFolder whole, cut;
  FakeCampaign campaign(whole.path(), grid_text());
  FakeMachine machine;
  machine.noise_ratio = 0.002;
  EXPECT_EQ(sit(campaign, machine), "finished");
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(last_before_, "r1-baseline");
  EXPECT_EQ(std::count(machine.ran.begin(), machine.ran.end(), "diagnose1-baseline"), 0);
  const CampaignResult result = load_campaign(whole.path());
  ASSERT_EQ(result.ladder.size(), 2U);
  ASSERT_TRUE(result.ladder[0].pairs && result.ladder[1].pairs);
  EXPECT_EQ(result.ladder[0].pairs->verdict, "confirmed");
  EXPECT_NEAR(result.ladder[1].pairs->gain.value.value_or(0), 1.2 * 1.25 - 1, 0.03);

  FakeCampaign stopped(cut.path(), grid_text());
  const auto ran = ran_in_short_sittings(
      40, machine.ran.size(), [&](FakeMachine& part, const std::atomic<int>* stop) {
        part.noise_ratio = machine.noise_ratio;
        sit(stopped, part, stop);
      });
  EXPECT_EQ(ran, machine.ran);
  EXPECT_EQ(asked_, 2) << "once more, by the other run";
}

TEST_F(ClosedLoop, AWrongProposalChangesTheOrderAndNoVerdict) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text());
  FakeMachine machine;
  proposals_.list = {proposal("threads", threads(4))};
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 1.3 * 1.2 * 1.25 - 1, 0.06);
  ASSERT_EQ(result.ladder.size(), 1U);
  ASSERT_TRUE(result.ladder[0].pairs);
  EXPECT_EQ(result.ladder[0].pairs->verdict, "refuted");
}

TEST_F(ClosedLoop, AddsAValueBetweenThoseOfTheGrid) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text());
  FakeMachine machine;
  proposals_.list = {proposal("threads", threads(3)), proposal("fused", fused())};
  EXPECT_EQ(sit(campaign, machine), "finished");
  const RecordedRun run = read_recorded_run(folder.path());
  EXPECT_EQ(run.plan.cells.size(), 27U + 2) << "alone and with the other proposal";
  const auto cell = cell_with(run.plan, threads(3));
  ASSERT_TRUE(cell);
  EXPECT_EQ(run.plan.cells[*cell].id, "c27");
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_EQ(result.ladder.size(), 2U);
  ASSERT_TRUE(result.ladder[1].pairs);
  EXPECT_NEAR(result.ladder[1].pairs->gain.value.value_or(0), 1.25 * 1.25 - 1, 0.05);
}

TEST_F(ClosedLoop, WithoutProposalsThereIsNoLadder) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), loop_text());
  FakeMachine machine;
  proposals_ = {.list = {{.rule = "outside", .knobs = threads(64), .outside = "too many"}}};
  EXPECT_EQ(sit(campaign, machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.ladder.empty());
  EXPECT_EQ(result.plan.cells.size(), 27U);
  EXPECT_TRUE(std::none_of(machine.ran.begin(), machine.ran.end(), [](const std::string& id) {
    return id.starts_with("ladder");
  }));
}

TEST_F(ClosedLoop, MeasuresTheCeilingsOfFilesOnceBeforeTheSearch) {
  const TestFolder folder;
  std::string text = scenario_text(1);
  const std::string synthetic = "{source: synthetic, samples: 64}";
  text.replace(text.find(synthetic),
               synthetic.size(),
               "{source: generated-jpeg, profile: tiny, samples: 100000}");
  FakeCampaign campaign(folder.path(), text);
  FakeMachine machine;
  std::vector<trial::TrialSpec> specs;
  machine.before = [&](const trial::TrialSpec& spec) {
    specs.push_back(spec);
    const bool is_ceiling = spec.id.starts_with("ceiling");
    machine.rates["baseline"] = !is_ceiling ? 100 : spec.measure.loader_only ? 130 : 400;
  };
  campaign.propose = [](const RecordedRun&) { return Proposals(); };
  campaign.sit(machine);
  ASSERT_GT(specs.size(), 2U);
  EXPECT_EQ(specs[0].id, "ceiling1-baseline");
  EXPECT_EQ(specs[0].data.source, "synthetic");
  EXPECT_EQ(specs[0].data.samples, 100'000);
  EXPECT_EQ(specs[1].id, "ceiling2-baseline");
  EXPECT_TRUE(specs[1].measure.loader_only);
  EXPECT_EQ(specs[1].data.source, "generated-jpeg");
  EXPECT_FALSE(specs[2].measure.loader_only);
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_EQ(result.ceilings.size(), 2U);
  EXPECT_EQ(result.ceilings[0].id, "compute_ceiling");
  EXPECT_NEAR(*result.ceilings[0].rate, 400, 20);
  EXPECT_EQ(result.ceilings[1].id, "data_ceiling");
  EXPECT_NEAR(*result.ceilings[1].rate, 130, 7);
  EXPECT_NEAR(result.cells[0].throughput->value.value_or(0), 100, 3)
      << "ceilings are no trials of the cell";
}

TEST_F(ClosedLoop, MeasuresTheLoaderOnColdFilesLastAndWarmsThemAgain) {
  const TestFolder folder;
  const std::filesystem::path data = folder.path() / "data/cat";
  std::filesystem::create_directories(data);
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 40; ++i) {
    files.push_back(data / (std::to_string(i) + ".jpg"));
    write_file_synced(files.back(), std::string(20'000, 'x'));
  }
  const auto resident = [&] {
    return machine::resident_ratio(static_cast<std::int64_t>(files.size()), [&](std::int64_t i) {
      return files[static_cast<std::size_t>(i)];
    });
  };
  std::string text = scenario_text(1);
  const std::string synthetic = "{source: synthetic, samples: 64}";
  text.replace(text.find(synthetic),
               synthetic.size(),
               "{source: image-folder, path: " + (folder.path() / "data").string() + "}");
  FakeCampaign campaign(folder.path(), text);
  FakeMachine machine;
  std::vector<trial::TrialSpec> specs;
  std::optional<double> cold, before;
  machine.before = [&](const trial::TrialSpec& spec) {
    (spec.id == "ceiling3-baseline" ? cold : before) = resident();
    specs.push_back(spec);
  };
  machine.mishap = [&](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (!spec.id.starts_with("ceiling") || !spec.measure.loader_only) {
      return std::nullopt;
    }
    const bool is_cold = spec.id == "ceiling3-baseline";
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, is_cold ? 90 : 130, spec.measure.slices);
    outcome.reply->loader.resident_ratio = is_cold ? 0.0 : 1.0;
    write_file_synced(std::filesystem::path(spec.folder) / "reply.json",
                      trial::to_json(*outcome.reply));
    return outcome;
  };
  campaign.propose = [](const RecordedRun&) { return Proposals(); };
  campaign.sit(machine);
  ASSERT_GT(specs.size(), 3U);
  EXPECT_EQ(specs[2].id, "ceiling3-baseline");
  EXPECT_TRUE(specs[2].measure.loader_only);
  EXPECT_EQ(specs[2].measure.warmup_steps, 0);
  EXPECT_EQ(specs[2].measure.slice_steps, 20) << "half of the one pass that is cold";
  EXPECT_FALSE(specs[3].id.starts_with("ceiling"));
  if (cold != 1) {  // a file system in memory forgets nothing
    EXPECT_EQ(cold, 0.0);
  }
  EXPECT_EQ(before, 1.0) << "as warm as before";
  const CampaignResult result = load_campaign(folder.path());
  ASSERT_EQ(result.ceilings.size(), 3U);
  EXPECT_EQ(result.ceilings[2].id, "cold_ceiling");
  EXPECT_NEAR(result.ceilings[2].rate.value_or(0), 90, 1);
  rule::FactTable facts;
  add_ceiling_facts(result.ceilings, facts);
  EXPECT_TRUE(std::holds_alternative<expression::Value>(facts.value("cold_rate")));
  EXPECT_EQ(cold_cache_text(result.trials), "") << "it was made to begin cold";
}

TEST(Ceilings, OfFilesThatStayedInMemoryAreNoColdRate) {
  TrialRecord record;
  record.stage = "ceiling";
  record.round = 3;
  record.outcome.kind = runner::OutcomeKind::completed;
  record.outcome.reply = make_reply("ceiling3-baseline", 90, 1);
  record.outcome.reply->loader.resident_ratio = 1.0;
  const auto ceilings = ceilings_of({record});
  ASSERT_EQ(ceilings.size(), 1U);
  EXPECT_FALSE(ceilings[0].rate.has_value());
  EXPECT_NE(ceilings[0].reason.find("kept the files"), std::string::npos);
}

TEST(Ceilings, BecomeTheNamesOfTheGainModels) {
  rule::FactTable facts;
  add_ceiling_facts(
      {{.id = "compute_ceiling", .trial = "ceiling1-baseline", .rate = 400},
       {.id = "data_ceiling", .trial = "ceiling2-baseline", .rate = 130, .resident_ratio = 0.5}},
      facts);
  const auto rate = [&](const char* name) {
    const expression::Result result = facts.value(name);
    const auto* const value = std::get_if<expression::Value>(&result);
    return value == nullptr ? -1 : std::get<expression::Number>(value->data).value;
  };
  EXPECT_EQ(rate("synthetic_rate"), 400);
  EXPECT_EQ(rate("loader_rate"), 130);
  EXPECT_EQ(rate("cached_rate"), -1) << "half of the files came from the disk";
  add_ceiling_facts({{.id = "data_ceiling", .rate = 130, .resident_ratio = 1.0}}, facts);
  EXPECT_EQ(rate("cached_rate"), 130);
}

}  // namespace
}  // namespace tune::campaign
