// How long a warm-up has to be, as the first trial of whole campaigns and gates finds it, and what
// is said of machines on which nothing becomes steady.

#include "machine.h"
#include "measure/campaign/summarise.h"
#include "repeats.h"
#include "run_campaign.h"
#include "run_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace tune::simulation {
namespace {

constexpr const char* kScenario =
    "tune: 1\nname: known\n"
    "workload: {model: mlp, task: train, image_size: 32, classes: 10}\n"
    "data: {source: synthetic, samples: 64}\n"
    "baseline: {batch_size: 16, intra_op_threads: 1}\n"
    "grid: {intra_op_threads: [1, 2]}\n"
    "measure: {warmup: auto, rounds: 1, slices: 2}\n"
    "search: {strategy: grid, confirm: 1, confirm_rounds: 6}\n";

constexpr double kFastStepS = 0.05, kSlowStepS = 0.32;

campaign::WarmupFound warmup_on(const noise::Environment& environment,
                                double step_s,
                                std::uint64_t seed) {
  fake::Script script;
  script.seed = seed;
  script.environment = environment;
  script.samples_per_s = 16 / step_s;
  fake::InProcessWorker worker(script);
  const campaign::CampaignResult result = run_campaign(kScenario, worker);
  EXPECT_EQ(exit_code(result), ExitCode::fine) << "the campaign goes on either way";
  return result.warmup.value_or(campaign::WarmupFound{.text = "no search"});
}

bool is_labelled(const campaign::WarmupFound& found) {
  return found.text.find("too few for this noise to rule out a slow drift") != std::string::npos;
}

gate::GateResult gate_on(const noise::Environment& environment,
                         bool find_warmup,
                         std::uint64_t seed) {
  GatePlan plan = throughput_gate(0.03);
  plan.measure.find_warmup = find_warmup;
  fake::InProcessWorker worker(gate_machine(environment, seed));
  return run_gate(plan, worker, seed);
}

TEST(SteadyState, IsFoundOnAMachineThatHasOne) {
  for (const noise::Environment& environment : {noise::quiet(), noise::bimodal(noise::quiet())}) {
    for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
      const campaign::WarmupFound found = warmup_on(environment, kFastStepS, seed);
      EXPECT_TRUE(found.is_steady) << environment.name << ": " << found.text;
    }
  }
}

TEST(SteadyState, WaitsUntilATransientHasFaded) {
  noise::Environment thermal = noise::thermal();
  thermal.slice_sd = 0.002;  // so that 4 % are much for one step
  thermal.spike_chance = 0;
  const auto left = [&](std::int64_t steps) {
    return std::abs(noise::ageing_at(thermal, static_cast<double>(steps)));
  };
  EXPECT_GT(left(3), 0.03) << "what three steps for every training would leave in";
  for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
    const campaign::WarmupFound found = warmup_on(thermal, kFastStepS, seed);
    EXPECT_TRUE(found.is_steady) << found.text;
    EXPECT_LT(left(found.steps), 0.016) << found.text;
  }
}

TEST(SteadyState, IsNotClaimedWithoutALabelWhereFewStepsAreNoisy) {
  for (const noise::Environment& environment :
       {noise::thermal(), noise::drifting(), noise::shared(), noise::heating()}) {
    for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
      const campaign::WarmupFound found = warmup_on(environment, kSlowStepS, seed);
      EXPECT_TRUE(!found.is_steady || is_labelled(found)) << environment.name << ": " << found.text;
    }
  }
}

TEST(SteadyState, IsNeverClaimedOfAMachineThatHeatsUpForEver) {
  for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
    const campaign::WarmupFound found = warmup_on(noise::heating(), kFastStepS, seed);
    EXPECT_FALSE(found.is_steady);
    EXPECT_NE(found.text.find("no steady state"), std::string::npos) << found.text;
  }
}

TEST(SteadyState, AGateThatFindsNoneGivesNoVerdict) {
  for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
    const gate::GateResult result = gate_on(noise::heating(), true, seed);
    EXPECT_EQ(result.end, gate::End::not_steady);
    EXPECT_EQ(exit_code(result), ExitCode::inconclusive);
    EXPECT_TRUE(result.why.starts_with("no-steady-state")) << result.why;
  }
  EXPECT_EQ(gate_on(noise::quiet(), true, 1).verdict, stats::GateVerdict::pass);
}

TEST(SteadyState, AGateWhoseWarmUpWasSaidLooksAgain) {
  for (std::uint64_t seed = 1; seed <= repeats(10); ++seed) {
    const gate::GateResult result = gate_on(noise::heating(), false, seed);
    EXPECT_EQ(result.verdict, stats::GateVerdict::inconclusive);
    EXPECT_NE(result.why.find("no-steady-state"), std::string::npos) << result.why;
    ASSERT_EQ(result.rows.size(), 1U);
    EXPECT_LT(result.rows.front().evidence.upper, std::log1p(0.03))
        << "by its pairs alone it would have passed";
  }
}

}  // namespace
}  // namespace tune::simulation
