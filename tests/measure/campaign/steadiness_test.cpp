#include "measure/campaign/steadiness.h"

#include "fake_campaign.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

namespace tune::campaign {
namespace {

// Two warm-up steps, then five slices of 50 steps of 10 ms, with 1 % of noise.
trial::TrialReply reply_of(const std::function<double(int)>& factor) {
  trial::TrialReply reply;
  reply.warmup_steps = 2;
  reply.step_ns = {90'000'000, 30'000'000};
  std::mt19937_64 random(3);
  for (int i = 0; i < 5; ++i) {
    trial::Slice slice;
    slice.steps = 50;
    slice.samples = 500;
    for (int step = 0; step < 50; ++step) {
      const double noise = std::exp(std::normal_distribution<double>(0, 0.008)(random));
      reply.step_ns.push_back(std::llround(1e7 * noise * factor(50 * i + step)));
      slice.wall_ns += reply.step_ns.back();
    }
    reply.slices.push_back(slice);
  }
  return reply;
}

double flat(int /*step*/) {
  return 1;
}

TEST(Steadiness, StepsThatStayAreSteadyWhateverTheWarmUpTook) {
  const Steadiness found = steadiness(reply_of(flat));
  EXPECT_TRUE(found.is_steady());
  EXPECT_EQ(found.label(), "steady");
  EXPECT_EQ(found.why(), "");
}

TEST(Steadiness, StepsThatKeepSlowingDownAreNot) {
  const Steadiness found = steadiness(reply_of([](int step) { return 1 + 0.0004 * step; }));
  EXPECT_FALSE(found.is_steady());
  EXPECT_EQ(found.label(), "no-steady-state");
  EXPECT_NE(found.why().find("the last third of 250 measured steps differs from the first by"),
            std::string::npos)
      << found.why();
}

TEST(Steadiness, WhatOthersDisturbedIsNotHeldAgainstTheSteps) {
  trial::TrialReply reply = reply_of([](int step) { return step >= 200 ? 1.3 : 1.0; });
  EXPECT_FALSE(steadiness(reply).is_steady()) << "the last slice is slow";
  reply.slices[4].disturbance.other_cpu_ns = reply.slices[4].wall_ns;
  EXPECT_TRUE(steadiness(reply).is_steady()) << "and does not count";
}

TEST(Steadiness, FewStepsAreWeakNotUnsteady) {
  trial::TrialReply reply = reply_of(flat);
  reply.slices.resize(1);
  const Steadiness found = steadiness(reply);
  EXPECT_TRUE(found.is_steady());
  EXPECT_EQ(found.label(), "weak");
  EXPECT_TRUE(found.why().starts_with("50 measured steps of 0.")) << found.why();
}

TEST(Steadiness, TheTimesThatAWorkerDidNotKeepAreNotInvented) {
  trial::TrialReply reply = reply_of(flat);
  reply.step_ns.resize(60);
  EXPECT_TRUE(steadiness(reply).why().starts_with("58 measured steps"));
}

TEST(Steadiness, SeveralVetoesAreNamedByTheFirstAndToldAll) {
  trial::TrialReply reply = reply_of([](int step) { return 1 + 0.0004 * step; });
  reply.stock_matched = false;
  const Steadiness found = steadiness(reply);
  EXPECT_EQ(found.label(), "no-steady-state");
  EXPECT_TRUE(found.has("loader-stock"));
  EXPECT_FALSE(found.has("clock"));
  EXPECT_NE(found.why().find("; the loader's stock"), std::string::npos);
}

TEST(SteadyTally, SaysHowManyAndWhatMostAre) {
  SteadyTally tally;
  EXPECT_EQ(tally.label(), "");
  tally.add("r1-c01", {});
  tally.add("r1-c02", {.weakness = "few"});
  EXPECT_EQ(tally.label(), "steady");
  tally.add("r1-c03", {.vetoes = {{"clock", "it fell by 2.0 %"}}});
  EXPECT_EQ(tally.text("trials"),
            "1 of 3 trials was not steady (1 clock), the first: r1-c03: it fell by 2.0 %");
  EXPECT_FALSE(tally.is_mostly_not_steady());
  EXPECT_EQ(tally.label(), "weak");
  tally.add("r1-c04", {.vetoes = {{"throttled", "hot"}}});
  tally.add("r1-c05", {.vetoes = {{"clock", "it fell"}, {"throttled", "hot"}}, .weakness = "few"});
  EXPECT_TRUE(tally.is_mostly_not_steady());
  EXPECT_EQ(tally.weak, 1);
  EXPECT_EQ(tally.label(), "clock");
}

TEST(SteadyTally, KnowsTheMedianBiasWhileAllVetoesTell) {
  SteadyTally tally;
  tally.add("r1-c01", {});
  EXPECT_EQ(tally.typical_bias_ratio(), 0);
  tally.add("r1-c02", {.vetoes = {{"no-steady-state", "", 0.05}, {"loader-stock", "", 0.02}}});
  tally.add("r1-c03", {.vetoes = {{"no-steady-state", "", 0.03}}});
  tally.add("r1-c04", {.vetoes = {{"no-steady-state", "", 3}}});
  EXPECT_NEAR(*tally.typical_bias_ratio(), 1.05 * 1.02 - 1, 1e-12);
  tally.add("r1-c05", {.vetoes = {{"throttled", "hot"}}});
  tally.add("r1-c06", {.vetoes = {{"no-steady-state", "", 0.03}}});
  EXPECT_FALSE(tally.typical_bias_ratio());
}

// A real run on two CPUs of a virtual machine. Its trials are short, so that none can say much for
// a steady state; but nothing may speak against one by mistake either.
TEST(Steadiness, HealthyTrialsOfARealRunAreNotVetoed) {
  const CampaignResult result = load_campaign(SOURCE_DIR "/tests/recorded/resnet18-2-cpus");
  EXPECT_EQ(result.steadiness.trials, 80) << "all but the one that looked for the warm-up";
  EXPECT_EQ(result.steadiness.not_steady, 0) << result.steadiness.first;
  EXPECT_EQ(result.steadiness.weak, 80) << "six steps cannot show a slow drift";
  EXPECT_EQ(result.confirmation->steadiness.trials, 8);
}

// Counters that scatter without a direction, far more than those of real trials do: each of the
// three trends is one order of 120, either way for two of them.
TEST(Steadiness, CountersThatOnlyScatterAreSeldomVetoed) {
  constexpr int kTrials = 5'000;
  int vetoed = 0;
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal(0, 1);
  for (int i = 0; i < kTrials; ++i) {
    trial::TrialReply reply = reply_of(flat);
    for (trial::Slice& slice : reply.slices) {
      slice.disturbance.resident_bytes = std::llround(1e9 * (1 + 0.1 * normal(random)));
      slice.disturbance.minor_faults = std::llround(1e6 * (1 + 0.1 * normal(random)));
      slice.disturbance.mean_mhz = 3e3 * (1 + 0.1 * normal(random));
    }
    vetoed += steady_vetoes(reply, clean_rate(reply)).empty() ? 0 : 1;
  }
  EXPECT_LE(static_cast<double>(vetoed) / kTrials, 5.0 / 120 + 0.01);
  EXPECT_GT(vetoed, 0) << "a test that cannot fail";
}

RecordedRun run_of_half_as_much_again(const TestFolder& folder) {
  FakeCampaign campaign(folder.path(), scenario_text(1));
  FakeMachine machine;
  machine.rates["c01"] = 150;
  EXPECT_EQ(campaign.sit(machine), "finished");
  return read_recorded_run(folder.path());
}

TEST(Confirmation, WhoseTrialsAreMostlyNotSteadyProvesNothing) {
  const TestFolder folder;
  RecordedRun run = run_of_half_as_much_again(folder);
  const auto confirmed = [&] { return summarise(run); };
  ASSERT_EQ(confirmed().confirmation->verdict, "confirmed");
  EXPECT_TRUE(confirmed().warnings.empty());
  int unsteady = 0;
  for (TrialRecord& record : run.trials) {
    if (record.stage == "confirm" && record.spec.cell == "c01" && unsteady < 4) {
      record.outcome.reply->stock_matched = false;
      ++unsteady;
    }
  }
  const CampaignResult doubtful = confirmed();
  EXPECT_EQ(doubtful.confirmation->verdict, "ambiguous");
  EXPECT_TRUE(doubtful.confirmation->why.starts_with(
      "4 of 6 trials of the setting were not steady (4 loader-stock)"))
      << doubtful.confirmation->why;
  EXPECT_EQ(doubtful.steadiness.not_steady, 4);
  ASSERT_EQ(doubtful.warnings.size(), 1U);
  EXPECT_TRUE(doubtful.warnings[0].starts_with("4 of 18 trials were not steady"))
      << doubtful.warnings[0];
}

// A loader that fills its stock by a fiftieth cannot make half as much again.
TEST(Confirmation, OutweighsWhatItsUnsteadyTrialsCanBeWrongBy) {
  const TestFolder folder;
  RecordedRun run = run_of_half_as_much_again(folder);
  const auto verdict_if_drawn = [&](double share) {
    for (TrialRecord& record : run.trials) {
      if (record.stage == "confirm" && record.spec.cell == "c01") {
        for (trial::Slice& slice : record.outcome.reply->slices) {
          slice.stock_before = std::llround(share * static_cast<double>(slice.samples));
        }
      }
    }
    return summarise(run).confirmation->verdict;
  };
  EXPECT_EQ(verdict_if_drawn(0.02), "confirmed");
  EXPECT_EQ(verdict_if_drawn(0.3), "confirmed") << "1.5 x 0.7 is still more than one";
  EXPECT_EQ(verdict_if_drawn(0.4), "ambiguous") << "and 1.5 x 0.6 is not";
}

// Page faults that become more cannot do so either while the steps take as long as before.
TEST(Confirmation, OutweighsPageFaultsThatTheStepsDoNotShow) {
  const TestFolder folder;
  RecordedRun run = run_of_half_as_much_again(folder);
  for (TrialRecord& record : run.trials) {
    if (record.stage == "confirm" && record.spec.cell == "c01") {
      trial::TrialReply& reply = *record.outcome.reply;
      std::int64_t faults = 0;
      for (trial::Slice& slice : reply.slices) {
        faults += 100'000 * slice.steps;  // 0.1 s of steps that take 6.7 s
        slice.disturbance.minor_faults = faults;
        reply.step_ns.insert(reply.step_ns.end(),
                             static_cast<std::size_t>(slice.steps),
                             slice.wall_ns / slice.steps);
      }
      ASSERT_TRUE(steadiness(reply).has("page-faults"));
    }
  }
  EXPECT_EQ(summarise(run).confirmation->verdict, "confirmed");
}

}  // namespace
}  // namespace tune::campaign
