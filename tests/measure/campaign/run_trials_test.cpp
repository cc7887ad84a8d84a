#include "measure/campaign/run_trials.h"

#include "base/error.h"
#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

namespace tune::campaign {

namespace {

const CellResult& cell(const CampaignResult& result, const std::string& id) {
  return *std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& one) {
    return one.cell.id == id;
  });
}

std::optional<runner::TrialOutcome> crash(const trial::TrialSpec&) {
  return failed(runner::OutcomeKind::crashed, "SIGSEGV in phase warmup");
}

}  // namespace

TEST(Campaign, FindsAKnownBestCellAndItsGain) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(5));
  FakeMachine machine;
  machine.rates = {{"c03", 150}, {"c04", 80}};
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.trials.size(), 6U * 3 + 12);
  EXPECT_EQ(result.cells[0].cell.id, "baseline");
  EXPECT_EQ(result.cells[1].cell.id, "c03");
  EXPECT_EQ(result.cells.back().cell.id, "c04");
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->cell, "c03");
  EXPECT_EQ(result.confirmation->pairs, 6);
  EXPECT_EQ(result.confirmation->gain.confidence, 0.95);
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 0.5, 0.03);
  EXPECT_LT(*result.confirmation->gain.lower, 0.5);
  EXPECT_GT(*result.confirmation->gain.upper, 0.5);
  EXPECT_NEAR(result.cells[1].throughput->value.value_or(0), 150, 3);
  EXPECT_EQ(result.elapsed_ns, 30 * machine.trial_ns);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Campaign, RunsTheBaselineAndEveryCellOnceARoundInAnOrderOfItsSeed) {
  const TestFolder one;
  const TestFolder two;
  const TestFolder other_seed;
  FakeMachine first;
  FakeMachine second;
  FakeMachine third;
  FakeCampaign(one.path(), scenario_text(5)).sit(first);
  FakeCampaign(two.path(), scenario_text(5)).sit(second);
  FakeCampaign(other_seed.path(), scenario_text(5), {"seed=7"}).sit(third);
  EXPECT_EQ(first.ran, second.ran);
  EXPECT_NE(first.ran, third.ran);
  for (int round = 0; round < 3; ++round) {
    std::set<std::string> cells;
    for (int i = 0; i < 6; ++i) {
      const std::string& id = first.ran[static_cast<std::size_t>(round * 6 + i)];
      EXPECT_EQ(id.substr(0, 3), "r" + std::to_string(round + 1) + "-");
      cells.insert(id.substr(3));
    }
    EXPECT_EQ(cells, (std::set<std::string>{"baseline", "c01", "c02", "c03", "c04", "c05"}));
  }
}

TEST(Campaign, BeginsWithItsBaselineWhateverTheSeedAndKeepsTheOtherRoundsRandom) {
  std::set<std::string> second_rounds;
  for (const char* const strategy : {"grid", "random"}) {
    for (const char* const seed : {"seed=1", "seed=2", "seed=3", "seed=4"}) {
      const TestFolder folder;
      FakeMachine machine;
      const std::string search =
          std::string("{strategy: ") + strategy + ", confirm: 1, confirm_rounds: 6}";
      FakeCampaign(folder.path(), scenario_text(5, search), {seed}).sit(machine);
      EXPECT_EQ(machine.ran.front(), "r1-baseline") << strategy << " " << seed;
      second_rounds.insert(machine.ran[6]);
    }
  }
  EXPECT_GT(second_rounds.size(), 1U);
}

TEST(Campaign, ComparesWithTheBaselineOfTheSameRoundSoThatDriftCancels) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(2));
  FakeMachine machine;
  machine.noise_ratio = 0;
  machine.rates = {{"baseline", 100}, {"c01", 120}, {"c02", 100}};
  machine.before = [&](const trial::TrialSpec& spec) {  // the second round is twice as fast
    if (spec.id == "r2-baseline" || spec.id == "r2-c01" || spec.id == "r2-c02") {
      machine.rates = {{"baseline", 200}, {"c01", 240}, {"c02", 200}};
    } else {
      machine.rates = {{"baseline", 100}, {"c01", 120}, {"c02", 100}};
    }
  };
  campaign.sit(machine);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_NEAR(*cell(result, "c01").gain->lower, 0.2, 1e-6);
  EXPECT_NEAR(*cell(result, "c01").gain->upper, 0.2, 1e-6);
}

// A larger batch alone has 50 % more, with two threads as well it has `both`; the changes that lead
// the result.
trial::KnobSettings leading_changes(double both, double noise_ratio) {
  const TestFolder folder;
  const std::string text =
      "tune: 1\nname: fake\n"
      "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
      "data: {source: synthetic, samples: 64}\n"
      "baseline: {intra_op_threads: 1, batch_size: 8}\n"
      "grid: {intra_op_threads: [1, 2], batch_size: [8, 16]}\n";
  FakeCampaign campaign(folder.path(), text);
  FakeMachine machine;
  machine.noise_ratio = noise_ratio;
  const RecordedRun run = read_recorded_run(folder.path());
  for (const scenario::Cell& planned : run.plan.cells) {
    machine.rates[planned.id] = planned.changed.size() == 2              ? both
                                : planned.changed.contains("batch_size") ? 150
                                                                         : 100;
  }
  campaign.sit(machine);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.confirmation->cell, result.cells[1].cell.id);
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  return result.cells[1].cell.changed;
}

TEST(Campaign, PrefersFewerChangesAmongCellsThatCannotBeToldApart) {
  const trial::KnobSettings one = leading_changes(150.5, 0);
  EXPECT_EQ(one.size(), 1U);
  EXPECT_TRUE(one.contains("batch_size"));
  EXPECT_EQ(leading_changes(153, 0).size(), 2U);
  EXPECT_EQ(leading_changes(153, 0.05).size(), 1U) << "within one standard error of the pairs";
}

TEST(Campaign, ResumedAfterACutAtAnyLineRunsTheSameTrialsOnceEach) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.rates = {{"c02", 130}};
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "c01" ? crash(spec) : std::nullopt;
  };
  campaign.sit(machine);
  const std::string whole = read_file(ledger_file(folder.path()));
  const CampaignResult uncut = load_campaign(folder.path());
  std::size_t cuts = 0;
  for (std::size_t end = whole.find('\n'); end != std::string::npos;
       end = whole.find('\n', end + 1)) {
    for (const std::size_t torn :
         {std::size_t{0}, std::size_t{9}}) {  // at the line's end, or inside the next line
      const std::string cut = whole.substr(0, end + 1 + torn);
      std::ofstream(ledger_file(folder.path()), std::ios::trunc) << cut;
      const std::set<std::string> before = distinct_ids(read_recorded_run(folder.path()).trials);
      FakeMachine later;
      later.rates = machine.rates;
      later.mishap = machine.mishap;
      EXPECT_EQ(campaign.sit(later), "finished");
      for (const std::string& id : later.ran) {
        EXPECT_FALSE(before.contains(id)) << id << " ran twice after a cut at " << cut.size();
      }
      const CampaignResult resumed = load_campaign(folder.path());
      EXPECT_EQ(distinct_ids(resumed.trials), distinct_ids(uncut.trials)) << cut.size();
      EXPECT_EQ(resumed.trials.size(), uncut.trials.size());
      EXPECT_EQ(resumed.confirmation->gain.value, uncut.confirmation->gain.value);
      ++cuts;
    }
  }
  EXPECT_GT(cuts, 40U);
}

TEST(Campaign, KeepsNoTrialOfTheSearchInMemoryAndRunsTheSameOnes) {
  const std::string text = scenario_text(12);
  const auto ran = [&](bool frees_trials, std::size_t kept) {
    const TestFolder folder;
    FakeCampaign campaign(folder.path(), text);
    campaign.frees_trials = frees_trials;
    FakeMachine machine;
    machine.rates = {{"c07", 140}};
    EXPECT_EQ(campaign.sit(machine), "finished");
    EXPECT_EQ(campaign.trials_in_memory().size(), kept);
    EXPECT_EQ(load_campaign(folder.path()).trials.size(), machine.ran.size());
    return machine.ran;
  };
  constexpr std::size_t kSearch = 13U * 3;
  constexpr std::size_t kPairs = 12;
  EXPECT_EQ(ran(true, kPairs + 1), ran(false, kSearch + kPairs));
}

TEST(Campaign, DoesNotRepeatWhatRunsOutOfMemoryAndRetriesACrashOnce) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (spec.cell == "c01") {
      return failed(runner::OutcomeKind::out_of_memory, "bad_alloc in phase measure");
    }
    return spec.cell == "c02" ? crash(spec) : std::nullopt;
  };
  campaign.sit(machine);
  const auto times = [&](const std::string& end) {
    return std::count_if(machine.ran.begin(), machine.ran.end(), [&](const std::string& id) {
      return id.ends_with(end);
    });
  };
  EXPECT_EQ(times("-c01"), 1);
  EXPECT_EQ(times("-c02"), 2);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(cell(result, "c01").outcome, "out-of-memory");
  EXPECT_EQ(cell(result, "c02").outcome, "crashed");
  EXPECT_NE(cell(result, "c02").reason.find("SIGSEGV"), std::string::npos);
  EXPECT_EQ(result.trials_failed, 3);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].find("2 of 3 settings failed"), std::string::npos);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Campaign, IsFineWithAWarningWhenEveryCandidateFails) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(2));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "baseline" ? std::nullopt : crash(spec);
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_FALSE(result.confirmation);
  EXPECT_FALSE(result.warnings.empty());
  EXPECT_TRUE(result.cells[0].throughput);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Campaign, EndsWithANegativeVerdictWhenTheBaselineFails) {
  for (const auto kind : {runner::OutcomeKind::refused, runner::OutcomeKind::crashed}) {
    const TestFolder folder;
    FakeCampaign campaign(folder.path(), scenario_text(4));
    FakeMachine machine;
    machine.mishap = [&](const trial::TrialSpec& spec) {
      return spec.cell == "baseline" ? std::optional(failed(kind, "it cannot run")) : std::nullopt;
    };
    EXPECT_EQ(campaign.sit(machine), "baseline-failed");
    const CampaignResult result = load_campaign(folder.path());
    EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
    EXPECT_NE(result.incomplete_reason.find("it cannot run"), std::string::npos);
    EXPECT_LE(machine.ran.size(), kind == runner::OutcomeKind::refused ? 5U : 10U);
  }
}

TEST(Campaign, ABaselineThatCrashesInTheOnlyRoundHasItsSecondChanceThere) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(2), {"rounds=1"});
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.id == "r1-baseline" ? crash(spec) : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_EQ(exit_code(load_campaign(folder.path())), ExitCode::fine);
}

TEST(Campaign, ConfirmsTheNextBestWhenTheBestFailsInFreshRounds) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.rates = {{"c01", 150}, {"c02", 130}};
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "c01" && spec.id.starts_with("confirm") ? crash(spec) : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.confirmation->cell, "c02");
  EXPECT_EQ(result.confirmation->pairs, 6);
  EXPECT_EQ(result.warnings.size(), 2U);
  EXPECT_TRUE(result.complete);
}

TEST(Campaign, StopsWhenToldAndForgetsTheTrialThatWasRunning) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  std::atomic<int> stop = 0;
  FakeMachine machine;
  machine.mishap = [&](const trial::TrialSpec&) -> std::optional<runner::TrialOutcome> {
    if (machine.ran.size() < 4) {
      return std::nullopt;
    }
    stop = 1;
    return failed(runner::OutcomeKind::interrupted, "told to stop");
  };
  EXPECT_EQ(campaign.sit(machine, &stop), "interrupted");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.trials.size(), 3U);
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.incomplete_reason.find("interrupted"), std::string::npos);
  FakeMachine later;
  EXPECT_EQ(campaign.sit(later), "finished");
  EXPECT_EQ(later.ran.front(), machine.ran.back()) << "it is run anew";
}

TEST(Campaign, EndsWhereItsDirectoryIsRemoved) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.mishap = [&](const trial::TrialSpec& spec) {
    if (machine.ran.size() == 3) {
      std::filesystem::remove_all(folder.path());
      return crash(spec);
    }
    return std::optional<runner::TrialOutcome>();
  };
  EXPECT_THROW(campaign.sit(machine), MachineError);
  EXPECT_EQ(machine.ran.size(), 3U);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
}

TEST(Campaign, WhateverFailsInADirectoryThatIsRemovedFailsForThat) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.before = [&](const trial::TrialSpec& spec) {
    std::filesystem::remove_all(folder.path());
    write_file_synced(std::filesystem::path(spec.folder) / "spec.json", "");
  };
  EXPECT_THROW(campaign.sit(machine), MachineError);
}

TEST(Campaign, DoesNotMakeItsDirectoryAnew) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  campaign.watcher.after = [&](const Standpoint&) { std::filesystem::remove_all(folder.path()); };
  EXPECT_THROW(campaign.sit(machine), MachineError);
  EXPECT_EQ(machine.ran.size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
}

TEST(Campaign, AWatcherThatThrowsCostsNoTrial) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  campaign.watcher.after = [](const Standpoint& standpoint) {
    if (standpoint.done == 5) {
      throw std::runtime_error("the display broke");
    }
  };
  EXPECT_THROW(campaign.sit(machine), std::runtime_error);
  EXPECT_EQ(machine.ran.size(), 5U);
  FakeMachine later;
  EXPECT_EQ(campaign.sit(later), "finished");
  EXPECT_EQ(later.ran.size(), 24U - 5U) << "the fifth was on disk before it was shown";
}

TEST(Campaign, TellsItsWatcherHowMuchIsLeftAndWhoLeads) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.rates = {{"c02", 150}};
  campaign.sit(machine);
  const auto& begun = campaign.watcher.begun;
  ASSERT_EQ(begun.size(), 24U);
  EXPECT_TRUE(begun[0].ranking.empty()) << "nothing is ranked in the first round";
  ASSERT_FALSE(begun[4].ranking.empty());
  EXPECT_LE(begun[4].ranking.size(), Standpoint::kMostPlaces);
  EXPECT_EQ(begun[4].ranking[0].cell->id, "c02");
  EXPECT_EQ(begun[4].ranking[0].rounds, 1);
  EXPECT_NEAR(begun[4].ranking[0].gain, 0.5, 0.1);
  EXPECT_GE(begun[4].ranking[0].gain, begun[4].ranking[1].gain);
  for (std::size_t i = 1; i < begun.size(); ++i) {
    EXPECT_EQ(begun[i].done, static_cast<std::int64_t>(i));
    EXPECT_EQ(begun[i].total, 24) << i;
    EXPECT_EQ(begun[i].remaining_ns, static_cast<std::int64_t>(24 - i) * machine.trial_ns) << i;
  }
}

TEST(Campaign, MeasuresTheBaselineWhenThereIsNothingToCompare) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(0));
  FakeMachine machine;
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_EQ(machine.ran.size(), 3U);
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_FALSE(result.confirmation);
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

}  // namespace tune::campaign
