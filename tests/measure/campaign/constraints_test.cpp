// What breaks a constraint of the scenario is shown wherever it was measured, and recommended
// nowhere.

#include "../../advice/rule/sample_rule.h"
#include "advice/rule/catalog.h"
#include "fake_campaign.h"
#include "measure/campaign/objective.h"
#include "measure/campaign/recorded_run.h"
#include "measure/campaign/run_diagnosis.h"
#include "measure/campaign/summarise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace tune::campaign {
namespace {

// Threads 1 (the baseline), 2 (c01) and 3 (c02).
std::string limited_text(std::int64_t confirm) {
  return scenario_text(2, "{strategy: grid, confirm: " + std::to_string(confirm) + "}") +
         "constraints: {throughput: {max: 150}}\n";
}

Proposal threads(std::int64_t count) {
  return {.rule = "threads", .knobs = {{"intra_op_threads", count}}, .lower = 0.1, .upper = 0.3};
}

const CellResult& cell_of(const CampaignResult& result, const std::string& id) {
  return *std::find_if(result.cells.begin(), result.cells.end(), [&](const CellResult& cell) {
    return cell.cell.id == id;
  });
}

bool warns(const CampaignResult& result, const std::string& begin) {
  return std::any_of(result.warnings.begin(), result.warnings.end(), [&](const auto& warning) {
    return warning.starts_with(begin);
  });
}

TEST(MetricValue, OfEnergyIsThatOfTheWindowOverItsSamples) {
  const trial::TrialSpec spec;
  trial::TrialReply reply;
  reply.slices.resize(2);
  reply.slices[0].samples = 30;
  reply.slices[1].samples = 10;
  EXPECT_DOUBLE_EQ(metric_value("energy_per_sample", {spec, reply, 0, 20.0}).value_or(0), 0.5);
  EXPECT_FALSE(metric_value("energy_per_sample", {spec, reply}).has_value());
}

trial::TrialSpec setting_of(const std::string& model, const trial::KnobSettings& knobs) {
  trial::TrialSpec spec;
  spec.workload.model = model;
  spec.knobs = knobs;
  return spec;
}

TEST(ProductPeak, IsOfTheNumbersThatTheSettingMultiplies) {
  const auto peak = [](const std::string& model, const trial::KnobSettings& knobs) {
    return product_peak(setting_of(model, knobs), "NVIDIA A100-SXM4-80GB").value_or(0) * 1e-12;
  };
  const std::string none = "none", convolutions = "convolutions", highest = "highest";
  EXPECT_NEAR(peak("mlp", {{"amp", "bf16"}}), 312, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"amp", "fp16"}, {"tf32", none}}), 312, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"amp", none}}), 19.5, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"tf32", convolutions}, {"matmul_precision", highest}}), 19.5, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"tf32", convolutions}, {"matmul_precision", "high"}}), 156, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"tf32", convolutions}, {"matmul_precision", "medium"}}), 156, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"tf32", "all"}}), 156, 1e-9);
  EXPECT_NEAR(peak("mlp", {{"tf32", none}, {"matmul_precision", "high"}}), 19.5, 1e-9);
  EXPECT_NEAR(peak("resnet18", {{"tf32", convolutions}}), 156, 1e-9);
  EXPECT_NEAR(peak("resnet18", {{"tf32", none}}), 19.5, 1e-9);
  EXPECT_NEAR(product_peak(setting_of("resnet18", {}), "Tesla T4").value_or(0), 8.1e12, 1)
      << "it has no TF32";
  EXPECT_FALSE(product_peak(setting_of("mlp", {}), "NVIDIA A2").has_value());
  EXPECT_FALSE(product_peak(setting_of("my-model", {}), "NVIDIA L4").has_value());
}

trial::TrialReply reply_on(const std::string& gpu) {
  trial::TrialReply reply;
  reply.facts.gpu = trial::GpuFacts{.name = gpu};
  reply.slices.resize(1);
  reply.slices[0].samples = 800;
  reply.slices[0].steps = 10;
  reply.slices[0].wall_ns = 1'000'000'000;
  return reply;
}

TEST(MetricValue, OfMfuIsTheUseOfOneDevicesPeak) {
  const trial::TrialReply reply = reply_on("NVIDIA L4");  // 30.3 TFLOP/s, 121 of halves
  const auto mfu = [&](const trial::KnobSettings& knobs) {
    return metric_value("mfu",
                        {.spec = setting_of("mlp", knobs), .reply = reply, .sample_flops = 1e9});
  };
  EXPECT_NEAR(mfu({}).value_or(0), 800 * 1e9 / 30.3e12, 1e-9);
  EXPECT_NEAR(mfu({{"amp", "bf16"}}).value_or(0), 800 * 1e9 / 121e12, 1e-9);
  EXPECT_NEAR(mfu({{"devices", std::int64_t{4}}}).value_or(0), 200 * 1e9 / 30.3e12, 1e-9);
  const trial::TrialSpec spec = setting_of("mlp", {});
  EXPECT_FALSE(metric_value("mfu", {spec, reply}).has_value()) << "operations are not known";
  const trial::TrialReply other = reply_on("NVIDIA A2");
  EXPECT_FALSE(metric_value("mfu", {.spec = spec, .reply = other, .sample_flops = 1e9}));
}

TEST(ObjectiveScore, OfMfuNeedsNoOperations) {
  scenario::Scenario scenario;
  scenario.objective.metric = "mfu";
  const trial::TrialReply reply = reply_on("NVIDIA L4");
  const trial::TrialSpec plain = setting_of("mlp", {}), half = setting_of("mlp", {{"amp", "bf16"}});
  const auto before = objective_score(scenario, {plain, reply});
  const auto after = objective_score(scenario, {half, reply});
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(*after - *before, std::log(30.3 / 121), 1e-9) << "as fast, against a higher peak";
  EXPECT_FALSE(objective_score(scenario, {plain, reply_on("NVIDIA A2")}).has_value());
}

TEST(SampleFlops, AreOfTheFirstSettingThatRecomputesNothing) {
  const auto record = [](const std::string& id, const trial::KnobSettings& knobs) {
    TrialRecord trial;
    trial.spec = setting_of("mlp", knobs);
    trial.spec.id = id;
    trial.outcome.reply = reply_on("NVIDIA L4");
    return trial;
  };
  CampaignResult run;
  EXPECT_FALSE(sample_flops(run).has_value());
  run.trials = {record("t1", {{"activation_checkpointing", true}}),
                record("t2", {{"devices", std::int64_t{2}}})};
  metric::Metric flops;
  flops.id = "step_flops";
  flops.value = 4e9;
  for (const char* const trial : {"t0", "t1", "t2"}) {
    ProfiledCell profile{.cell = trial, .trial = trial};
    profile.trace = TraceNumbers{.metrics = {flops}};
    run.profiles.push_back(std::move(profile));
  }
  EXPECT_DOUBLE_EQ(sample_flops(run).value_or(0), 4e9 / 40) << "80 samples a step of two devices";
  run.profiles.pop_back();
  EXPECT_FALSE(sample_flops(run).has_value());
}

class Constraints : public testing::Test {
 protected:
  // `rate` of the cell in trials of that stage, `usual` in all others.
  void set_rate(const std::string& cell, const std::string& stage, double rate, double usual) {
    special_.push_back({cell, stage, rate, usual});
  }

  CampaignResult run(std::int64_t confirm, const std::vector<Proposal>& proposals = {}) {
    FakeCampaign campaign(folder_.path(), limited_text(confirm));
    FakeMachine machine;
    machine.noise_ratio = 0.002;
    machine.before = [&](const trial::TrialSpec& spec) {
      for (const Special& each : special_) {
        machine.rates[each.cell] = spec.id.starts_with(each.stage) ? each.rate : each.usual;
      }
    };
    if (!proposals.empty()) {
      campaign.propose = [&](const RecordedRun&) { return Proposals{.list = proposals}; };
    }
    EXPECT_EQ(campaign.sit(machine), "finished");
    return load_campaign(folder_.path());
  }

  TestFolder folder_;

 private:
  struct Special {
    std::string cell, stage;
    double rate, usual;
  };
  std::vector<Special> special_;
};

TEST_F(Constraints, ACellThatBreaksOneInItsPairsOnlyStandsBehindTheOthers) {
  set_rate("c01", "r1-", 145, 138);  // once as fast as the other one: both are confirmed
  set_rate("c02", "confirm", 165, 140);
  const CampaignResult result = run(2);
  ASSERT_EQ(result.confirmations.size(), 2U);
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->cell, "c01") << "though c02 gains more";
  EXPECT_TRUE(result.confirmation->broken_constraints.empty());
  const Confirmation& broken = result.confirmations[1];
  EXPECT_EQ(broken.verdict, "confirmed") << "the verdict is shown";
  EXPECT_TRUE(broken.why.starts_with("breaks a constraint: throughput 16")) << broken.why;
  EXPECT_EQ(result.cells[1].cell.id, "c01");
  EXPECT_FALSE(cell_of(result, "c02").broken_constraints.empty());
  EXPECT_TRUE(warns(
      result, "intra_op_threads=3 ran in fresh pairs and breaks a constraint: throughput 16"));
  EXPECT_FALSE(warns(result, "intra_op_threads=2"));
}

TEST_F(Constraints, WhereNoOtherWasPairedNothingIsConfirmed) {
  set_rate("c01", "confirm", 110, 110);
  set_rate("c02", "confirm", 165, 140);
  const CampaignResult result = run(1);
  ASSERT_EQ(result.confirmations.size(), 1U);
  EXPECT_FALSE(result.confirmation);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.cells[1].cell.id, "c01") << "the best that may be set";
}

TEST_F(Constraints, ARungOfTheLadderIsCheckedAndTheLadderStaysAsItWasPlanned) {
  set_rate("c01", "ladder", 165, 120);
  set_rate("c02", "ladder", 140, 140);
  const CampaignResult result = run(1, {threads(2)});
  ASSERT_TRUE(result.confirmation);
  EXPECT_EQ(result.confirmation->cell, "c02");
  ASSERT_EQ(result.ladder.size(), 1U);
  const LadderRung& rung = result.ladder.front();
  ASSERT_TRUE(rung.pairs);
  EXPECT_EQ(rung.pairs->verdict, "confirmed");
  EXPECT_FALSE(rung.pairs->broken_constraints.empty());
  EXPECT_TRUE(rung.reason.starts_with("breaks a constraint: throughput 16")) << rung.reason;
  EXPECT_FALSE(cell_of(result, "c01").broken_constraints.empty());
  EXPECT_TRUE(warns(result, "intra_op_threads=2 ran in fresh pairs and breaks a constraint: "));
}

// The rule fires where half of a step waits for data, and wants three threads: c02.
class ConstraintOfAdvice : public Constraints {
 protected:
  const advice::Recommendation& diagnosed(const CampaignResult& result) {
    std::string text = rule::short_rule("more-threads");
    const std::string words = "change: {text: load faster}";
    text.replace(
        text.find(words), words.size(), "change: {knobs: [{name: intra_op_threads, to: 3}]}");
    const auto catalog = std::make_shared<const rule::Catalog>(
        rule::read_catalog({{"rules/more-threads.yaml", text}}));
    found_ = diagnose_run(result, catalog, {});
    return found_.value().diagnosis.recommendations.at(0);
  }

  CampaignResult waiting_for_data() const {
    RecordedRun run = read_recorded_run(folder_.path());
    for (TrialRecord& record : run.trials) {
      for (trial::Slice& slice : record.outcome.reply->slices) {
        slice.phases.data_wait_ns = slice.wall_ns / 2;
        slice.phases.forward_ns = slice.wall_ns / 2;
      }
    }
    return summarise(run);
  }

 private:
  std::optional<RunDiagnosis> found_;
};

TEST_F(ConstraintOfAdvice, SpeaksAgainstWhatTheSearchSawBreakIt) {
  set_rate("c01", "r", 110, 110);
  set_rate("c02", "r", 165, 165);
  run(1);
  const advice::Recommendation& found = diagnosed(waiting_for_data());
  EXPECT_TRUE(found.breaks_a_limit);
  ASSERT_EQ(found.broken_constraints.size(), 1U);
  EXPECT_NE(found.broken_constraints[0].find("is above 150"), std::string::npos);
  EXPECT_FALSE(found.measured);
  EXPECT_TRUE(found.unmeasured.starts_with("intra_op_threads=3 gave +")) << found.unmeasured;
  EXPECT_NE(found.unmeasured.find(", but breaks a constraint: throughput 16"), std::string::npos)
      << found.unmeasured;
  EXPECT_EQ(found.unmeasured.find("tune verify"), std::string::npos) << "it would be refused";
}

TEST_F(ConstraintOfAdvice, SpeaksAgainstWhatFreshPairsConfirmed) {
  set_rate("c01", "confirm", 110, 110);
  set_rate("c02", "confirm", 165, 140);
  run(1);
  const advice::Recommendation& found = diagnosed(waiting_for_data());
  ASSERT_TRUE(found.measured) << "it stays to be seen";
  EXPECT_TRUE(found.breaks_a_limit);
  EXPECT_FALSE(found.broken_constraints.empty());
}

TEST_F(ConstraintOfAdvice, SaysNothingWhereItIsKept) {
  set_rate("c01", "r", 110, 110);
  set_rate("c02", "r", 130, 130);
  run(1);
  const advice::Recommendation& found = diagnosed(waiting_for_data());
  EXPECT_FALSE(found.breaks_a_limit);
  EXPECT_TRUE(found.broken_constraints.empty());
  ASSERT_TRUE(found.measured);
}

TEST_F(ConstraintOfAdvice, IsNotNeededForWhatItsTrialsIgnored) {
  set_rate("c01", "r", 130, 130);
  set_rate("c02", "r", 100, 100);
  run(1);
  CampaignResult result = waiting_for_data();
  for (TrialRecord& record : result.trials) {
    if (record.spec.cell == "c02") {
      record.outcome.reply->ignored_knobs = {{"intra_op_threads", "nothing takes it"}};
    }
  }
  const advice::Recommendation& found = diagnosed(result);
  EXPECT_EQ(found.unmeasured, "intra_op_threads 3 was ignored: nothing takes it");
}

TEST(ConstraintText, NamesThemAll) {
  EXPECT_EQ(constraint_text({}), "");
  EXPECT_EQ(constraint_text({"throughput 165 is above 150", "step_time 2 is above 1s"}),
            "breaks a constraint: throughput 165 is above 150; step_time 2 is above 1s");
}

}  // namespace
}  // namespace tune::campaign
