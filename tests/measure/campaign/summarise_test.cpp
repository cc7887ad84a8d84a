#include "measure/campaign/summarise.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_warnings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::campaign {

TEST(Summary, IsNegativeWhenTheBaselineIsGivenUpWhileItConfirms) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(2));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "baseline" && spec.id.starts_with("confirm")
               ? std::optional(failed(runner::OutcomeKind::crashed, "SIGSEGV"))
               : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "baseline-failed");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(result.baseline_failed);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.trials_missing, 0) << "--resume cannot run any";
  EXPECT_NE(result.incomplete_reason.find("SIGSEGV (confirming round"), std::string::npos);
  EXPECT_EQ(exit_code(result), ExitCode::negative_verdict);
}

TEST(Summary, CanBeMadeAfterAnyTrialOfARunThatGoesOn) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  machine.rates = {{"c01", 130}};
  std::size_t looks = 0;
  campaign.watcher.after = [&](const Standpoint&) {
    RecordedRun so_far = read_recorded_run(folder.path());
    so_far.ledger.sittings.back().end_reason = kStillRunning;
    const CampaignResult result = summarise(so_far);
    if (!result.complete) {
      EXPECT_TRUE(result.incomplete_reason.starts_with("the run is in progress: "))
          << result.incomplete_reason;
      ++looks;
    }
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_GE(looks, 12U) << "the search alone has as many";
}

// A stall of the baseline must not count as a gain of the other cells in its round.
TEST(Summary, LeavesARoundOutInWhichTheBaselineStalled) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(4));
  FakeMachine machine;
  machine.noise_ratio = 0;
  machine.before = [&](const trial::TrialSpec& spec) {
    machine.rates = {{"baseline", spec.id == "r2-baseline" ? 12 : 100}, {"c01", 120}};
  };
  campaign.sit(machine);
  const CampaignResult result = load_campaign(folder.path());
  const auto found = std::find_if(result.cells.begin(), result.cells.end(), [](const auto& each) {
    return each.cell.id == "c01";
  });
  ASSERT_TRUE(found != result.cells.end() && found->gain);
  EXPECT_NEAR(*found->gain->value, 0.2, 1e-6);
  EXPECT_NEAR(*found->gain->upper, 0.2, 1e-6);
  EXPECT_EQ(found->gain->n, 2);
}

TEST(Summary, CountsOnlyPairsOfWhichBothSidesCompleted) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.id == "confirm2-c01" ? std::optional(failed(runner::OutcomeKind::crashed, "SIGBUS"))
                                     : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.confirmation->pairs, 6) << "the lost pair has another round";
  EXPECT_EQ(exit_code(result), ExitCode::fine);
}

TEST(Summary, IsPartialWhenNoCellCanBeConfirmed) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.cell == "c01" && spec.id.starts_with("confirm")
               ? std::optional(failed(runner::OutcomeKind::crashed, "SIGBUS"))
               : std::nullopt;
  };
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_EQ(result.incomplete_reason,
            "no setting could be confirmed: the confirming trials failed");
  EXPECT_EQ(exit_code(result), ExitCode::partial);
}

TEST(Summary, NamesABudgetThatWouldDoForTheRest) {
  const TestFolder folder;
  FakeCampaign campaign(
      folder.path(),
      scenario_text(20, "{strategy: grid, confirm: 1, confirm_rounds: 6, budget: 60s}"));
  FakeMachine machine;
  EXPECT_EQ(campaign.sit(machine), "budget");
  campaign.budget_ns = load_campaign(folder.path()).budget_wanted_ns;
  ASSERT_TRUE(campaign.budget_ns);
  EXPECT_EQ(campaign.sit(machine), "finished");
  EXPECT_FALSE(load_campaign(folder.path()).budget_wanted_ns);
}

TEST(Disturbance, IsToldWithItsFigures) {
  TrialRecord record;
  record.spec.cell = "c01";
  record.stage = "search";
  record.round = 1;
  EXPECT_EQ(disturbance_text(record), "");
  record.outcome.reply = make_reply("r1-c01", 100);
  trial::TrialReply& reply = *record.outcome.reply;
  reply.facts.cpus = {0, 1};
  const auto others_use = [&](double cpus) {
    for (trial::Slice& slice : reply.slices) {
      slice.disturbance.other_cpu_ns = std::llround(cpus * static_cast<double>(slice.wall_ns));
    }
  };
  EXPECT_EQ(disturbance_text(record), "") << "the kernel did not say";
  others_use(0.09);
  EXPECT_EQ(disturbance_text(record), "");
  others_use(0.45);
  EXPECT_EQ(disturbance_text(record), "other processes used 0.45 of 2 CPUs in c01 round 1");
}

TEST(Disturbance, OfManyTrialsIsOneWarning) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(3));
  FakeMachine machine;
  EXPECT_EQ(campaign.sit(machine), "finished");
  RecordedRun run = read_recorded_run(folder.path());
  const auto disturb = [&](std::size_t trial) {
    for (trial::Slice& slice : run.trials[trial].outcome.reply->slices) {
      slice.disturbance.other_cpu_ns = slice.wall_ns;
    }
  };
  EXPECT_TRUE(summarise(run).warnings.empty());
  disturb(3);
  ASSERT_EQ(summarise(run).warnings.size(), 1U);
  EXPECT_TRUE(summarise(run).warnings[0].starts_with("other processes used 1.00"));
  for (std::size_t i = 4; i < 20; ++i) {
    disturb(i);
  }
  ASSERT_EQ(summarise(run).warnings.size(), 1U);
  EXPECT_TRUE(
      summarise(run).warnings[0].starts_with("17 of 24 trials were disturbed, the first: "));
}

namespace {

// A confirmed cell; then two slices of each of the baseline's confirming trials lie beside others.
Confirmation with_a_disturbed_baseline(double rate, bool has_core_probes) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.rates = {{"c01", rate}};
  EXPECT_EQ(campaign.sit(machine), "finished");
  RecordedRun run = read_recorded_run(folder.path());
  EXPECT_EQ(summarise(run).confirmation->verdict, "confirmed");
  for (TrialRecord& record : run.trials) {
    if (record.stage != "confirm") {
      continue;
    }
    auto& slices = record.outcome.reply->slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (has_core_probes) {
        slices[i].disturbance.core_probe_ns = 200'000;
        slices[i].disturbance.fastest_core_probe_ns = 200'000;
      }
      if (record.spec.cell == "baseline" && i < 2) {
        slices[i].disturbance.other_cpu_ns = slices[i].wall_ns;
      }
    }
  }
  return *summarise(run).confirmation;
}

}  // namespace

TEST(Disturbance, OfOneSideLeavesAGainThatIsLargerThanWhatProbesLetPass) {
  const Confirmation small = with_a_disturbed_baseline(120, true);
  EXPECT_EQ(small.verdict, "ambiguous");
  EXPECT_NE(small.why.find("others disturbed one side more than the other"), std::string::npos);
  const Confirmation large = with_a_disturbed_baseline(150, true);
  EXPECT_EQ(large.verdict, "confirmed") << large.why;
  EXPECT_EQ(with_a_disturbed_baseline(150, false).verdict, "ambiguous")
      << "without probes nobody knows what passed";
}

}  // namespace tune::campaign
