#include "measure/campaign/epoch_check.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tune::campaign {
namespace {

// One candidate twice as fast, on files: an epoch takes 10 s with the baseline.
struct FileCampaign {
  explicit FileCampaign(std::int64_t samples = 1'000) : campaign(folder.path(), text(samples)) {
    machine.rates["c01"] = 200;
    machine.noise_ratio = 0.001;
  }

  static std::string text(std::int64_t samples) {
    std::string all = scenario_text(1);
    const std::string synthetic = "{source: synthetic, samples: 64}";
    all.replace(
        all.find(synthetic),
        synthetic.size(),
        "{source: generated-jpeg, profile: tiny, samples: " + std::to_string(samples) + "}");
    return all;
  }

  CampaignResult finish() {
    EXPECT_EQ(campaign.sit(machine), "finished");
    return load_campaign(folder.path());
  }

  std::vector<std::string> epochs() const {
    std::vector<std::string> ids;
    std::copy_if(machine.ran.begin(), machine.ran.end(), std::back_inserter(ids), [](auto& id) {
      return id.starts_with("epoch");
    });
    return ids;
  }

  TestFolder folder;
  FakeCampaign campaign;
  FakeMachine machine;
};

const EpochResult& of_cell(const CampaignResult& result, const std::string& cell) {
  return *std::find_if(result.epochs.begin(), result.epochs.end(), [&](const EpochResult& epoch) {
    return epoch.cell == cell;
  });
}

TEST(EpochCheck, ACheapEpochIsRunOnceOfTheBaselineAndTheConfirmedCell) {
  FileCampaign run;
  std::vector<trial::Measure> asked;
  run.machine.before = [&](const trial::TrialSpec& spec) {
    if (spec.id.starts_with("epoch")) {
      asked.push_back(spec.measure);
    }
  };
  run.machine.mishap = [](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (!spec.measure.epoch) {
      return std::nullopt;
    }
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, spec.cell == "baseline" ? 100 : 200);
    trial::Slice epoch = outcome.reply->slices[0];
    epoch.wall_ns = (spec.cell == "baseline" ? 10 : 6) * kSecond;
    epoch.phases = {.forward_ns = epoch.wall_ns};
    for (trial::Slice& slice : outcome.reply->slices) {
      slice.start_ns += epoch.wall_ns;
    }
    outcome.reply->slices.insert(outcome.reply->slices.begin(), epoch);
    write_file_synced(std::filesystem::path(spec.folder) / "reply.json",
                      trial::to_json(*outcome.reply));
    return outcome;
  };
  const CampaignResult result = run.finish();
  EXPECT_EQ(run.epochs(), (std::vector<std::string>{"epoch1-baseline", "epoch1-c01"}));
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_TRUE(asked[0].epoch && asked[1].epoch);
  ASSERT_EQ(result.epochs.size(), 2U);
  const EpochResult& baseline = of_cell(result, "baseline");
  ASSERT_TRUE(baseline.computed && baseline.check);
  EXPECT_NEAR(baseline.computed->value.value(), 10, 0.1);
  EXPECT_EQ(baseline.computed->n, 6);
  EXPECT_NEAR(baseline.check->difference(), 0, 0.01);
  const EpochResult& best = of_cell(result, "c01");
  ASSERT_TRUE(best.check);
  EXPECT_NEAR(best.check->difference(), 5.0 / 6 - 1, 0.01);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_TRUE(result.warnings[0].starts_with("intra_op_threads=2: a whole epoch took 6s"))
      << result.warnings[0];
  EXPECT_NEAR(result.confirmation->gain.value.value_or(0), 1, 0.02) << "an epoch is another window";
  EXPECT_TRUE(result.complete);
}

TEST(EpochCheck, WhatIsNotCheapIsNotRunAndSaysWhy) {
  FileCampaign run(10'000);
  const CampaignResult result = run.finish();
  EXPECT_EQ(run.epochs().size(), 0U) << "100 s and 50 s";
  EXPECT_NEAR(of_cell(result, "c01").computed->value.value(), 50, 1);
  EXPECT_TRUE(of_cell(result, "c01").reason.starts_with("a whole epoch takes about "));
}

TEST(EpochCheck, WithoutAConfirmedCellNoneIsRun) {
  FileCampaign run;
  run.machine.rates["c01"] = 100;
  const CampaignResult result = run.finish();
  EXPECT_TRUE(run.epochs().empty());
  for (const EpochResult& epoch : result.epochs) {
    EXPECT_NE(epoch.reason.find("confirmed"), std::string::npos) << epoch.reason;
  }
}

TEST(EpochCheck, OneThatFailsTakesNothingBackAndIsNotTriedAgain) {
  FileCampaign run;
  run.machine.mishap = [](const trial::TrialSpec& spec) {
    return spec.measure.epoch ? std::optional(failed(runner::OutcomeKind::timed_out, "120 s"))
                              : std::nullopt;
  };
  const CampaignResult result = run.finish();
  EXPECT_EQ(run.epochs().size(), 2U);
  EXPECT_EQ(of_cell(result, "baseline").reason, "the trial that ran it failed");
  EXPECT_EQ(result.confirmation->verdict, "confirmed");
  EXPECT_EQ(exit_code(result), ExitCode::fine);
  EXPECT_TRUE(result.complete);
}

TEST(EpochCheck, ADisturbedOneSaysSo) {
  FileCampaign run;
  run.machine.mishap = [](const trial::TrialSpec& spec) -> std::optional<runner::TrialOutcome> {
    if (!spec.measure.epoch) {
      return std::nullopt;
    }
    runner::TrialOutcome outcome{.kind = runner::OutcomeKind::completed, .phase = "done"};
    outcome.reply = make_reply(spec.id, 100);
    for (trial::Slice& slice : outcome.reply->slices) {
      slice.disturbance.other_cpu_ns = slice.wall_ns;
    }
    write_file_synced(std::filesystem::path(spec.folder) / "reply.json",
                      trial::to_json(*outcome.reply));
    return outcome;
  };
  EXPECT_EQ(of_cell(run.finish(), "c01").reason, "other work disturbed the trial that ran it");
}

TEST(EpochCheck, SyntheticBatchesHaveNoEpoch) {
  const TestFolder folder;
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.rates["c01"] = 200;
  EXPECT_EQ(campaign.sit(machine), "finished");
  const CampaignResult result = load_campaign(folder.path());
  EXPECT_TRUE(of_cell(result, "c01").computed);
  EXPECT_TRUE(of_cell(result, "c01").reason.starts_with("synthetic batches"));
}

}  // namespace
}  // namespace tune::campaign
