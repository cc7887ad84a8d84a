#include "measure/campaign/loader_forecast.h"

#include "fake_campaign.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tune::campaign {
namespace {

std::string grid_of_workers(const std::string& more = "") {
  return "tune: 1\nname: fake\n"
         "workload: {model: resnet18, task: train, image_size: 64, classes: 10, device: cuda}\n"
         "data: {source: generated-jpeg, samples: 100, profile: imagenet}\n"
         "baseline: {num_workers: 0, batch_size: 16}\n"
         "grid:\n  num_workers: [0, 1, 2, 8]\n  batch_size: [16, 32]\n" +
         more + "search: {strategy: guided, confirm: 1}\n";
}

scenario::Scenario scenario_of(const std::string& text) {
  return scenario::read_scenario(text, "fake.yaml");
}

const CellForecast& forecast_of(const scenario::Plan& plan,
                                const std::vector<std::optional<CellForecast>>& forecasts,
                                std::int64_t workers,
                                std::int64_t batch) {
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const auto& knobs = plan.cells[i].knobs;
    if (knobs.at("num_workers") == trial::KnobValue(workers) &&
        knobs.at("batch_size") == trial::KnobValue(batch)) {
      return forecasts[i].value();
    }
  }
  throw std::out_of_range("no such cell");
}

machine::MachineFacts machine_of(std::int64_t cpus) {
  machine::MachineFacts machine;
  machine.cpus = machine.logical_cpus = machine.physical_cores = cpus;
  machine.device = "cuda";
  return machine;
}

// 0.85 ms a sample, and a model that computes 2000 a second: pipeline.md's example.
TEST(LoaderForecast, SaysOfEachCellWhatTheModelSays) {
  const scenario::Scenario scenario = scenario_of(grid_of_workers());
  const scenario::Plan plan = scenario::make_plan(scenario, machine_of(4));
  const LoaderCosts costs{.decode_s = 0.7e-3, .other_s = 0.15e-3, .model_rate = 2000};
  const auto forecasts = forecast_cells(scenario, plan, machine_of(4), costs);
  EXPECT_NEAR(forecast_of(plan, forecasts, 0, 16).rate, 740.7, 0.1);
  EXPECT_NEAR(forecast_of(plan, forecasts, 1, 16).rate, 1176.5, 0.1);
  EXPECT_NEAR(forecast_of(plan, forecasts, 2, 16).rate, 2000, 0.1);
  EXPECT_FALSE(forecast_of(plan, forecasts, 2, 16).is_bound);
  EXPECT_TRUE(forecast_of(plan, forecasts, 1, 32).is_bound) << "another batch is another model";
  EXPECT_NEAR(forecast_of(plan, forecasts, 8, 32).rate, 4 / 0.85e-3, 0.1) << "of four cores";
}

TEST(LoaderForecast, WithoutTheModelsRateIsABound) {
  const scenario::Scenario scenario = scenario_of(grid_of_workers());
  const scenario::Plan plan = scenario::make_plan(scenario, machine_of(4));
  const auto forecasts = forecast_cells(scenario, plan, machine_of(4), costs_before_a_run(0.7e-3));
  EXPECT_TRUE(forecast_of(plan, forecasts, 2, 16).is_bound);
  EXPECT_NEAR(forecast_of(plan, forecasts, 2, 16).rate, 2 / 0.8e-3, 0.1);
}

TEST(LoaderForecast, OfOtherLoadersAndOfDataInMemoryIsNone) {
  std::string text = grid_of_workers();
  text.replace(text.find("{num_workers: 0,"), 16, "{loader: libtorch, num_workers: 0,");
  const scenario::Scenario scenario = scenario_of(text);
  const scenario::Plan plan = scenario::make_plan(scenario, machine_of(4));
  for (const auto& forecast : forecast_cells(scenario, plan, machine_of(4), {.decode_s = 1e-3})) {
    EXPECT_FALSE(forecast.has_value());
  }
}

// The ceilings of a run: the loader alone took 0.85 ms a sample, the model does 2000 a second.
TrialRecord ceiling(std::int64_t round, double rate) {
  TrialRecord record;
  record.stage = "ceiling";
  record.round = round;
  record.spec.id = "ceiling" + std::to_string(round) + "-baseline";
  record.spec.cell = "baseline";
  record.spec.measure.loader_only = round > 1;
  record.outcome.kind = runner::OutcomeKind::completed;
  record.outcome.reply = make_reply(record.spec.id, rate);
  if (round > 1) {
    record.outcome.reply->loader.samples = 1'000;
    record.outcome.reply->loader.decode_ns = 700'000'000;
    record.outcome.reply->loader.resize_ns = 150'000'000;
  }
  return record;
}

TEST(LoaderForecast, NamesTheCellThatARunShouldTryFirst) {
  RecordedRun run;
  run.scenario = scenario_of(grid_of_workers());
  run.ledger.header.machine = machine_of(4);
  run.plan = scenario::make_plan(run.scenario, machine_of(4));
  EXPECT_TRUE(promising_cells(run).empty()) << "nothing is known";
  run.trials = {ceiling(1, 2000), ceiling(2, 1170)};
  const auto costs = costs_of(run.trials);
  ASSERT_TRUE(costs.has_value());
  EXPECT_NEAR(costs->decode_s, 0.7e-3, 1e-9);
  const auto cells = promising_cells(run);
  ASSERT_FALSE(cells.empty());
  const auto& first = run.plan.cells[cells.front()];
  EXPECT_EQ(first.knobs.at("num_workers"), trial::KnobValue(std::int64_t{2})) << "as fast as eight";
  EXPECT_EQ(first.changed.size(), 1U);
}

TEST(LoaderForecast, KnowsTheModelsRateFromAnEarlierRun) {
  const TestFolder folder;
  const std::filesystem::path directory = folder.path() / "fake-20261120T101500Z";
  std::filesystem::create_directories(directory);
  FakeCampaign campaign(directory, grid_of_workers());
  FakeMachine machine;
  machine.before = [&](const trial::TrialSpec& spec) {
    machine.rates["baseline"] = spec.id == "ceiling1-baseline" ? 400 : 100;
  };
  campaign.propose = [](const RecordedRun&) { return Proposals(); };
  campaign.sit(machine);
  const machine::MachineFacts same = read_recorded_run(directory).ledger.header.machine;
  for (int i = 0; i < 6; ++i) {  // what else lies beside it, and the runs of another scenario
    const std::string time = "2026112" + std::to_string(i) + "T101500Z";
    for (const std::string& name : {"fake-gate-" + time,
                                    "fake-shard-1-of-2-" + time,
                                    "fake-large-" + time,
                                    "fake-" + time + "-copy"}) {
      std::filesystem::create_directories(folder.path() / name);
    }
  }
  const auto rate = earlier_model_rate(scenario_of(grid_of_workers()), same, folder.path());
  EXPECT_NEAR(rate.value_or(0), 400, 20);
  EXPECT_FALSE(
      earlier_model_rate(scenario_of(grid_of_workers()), machine_of(2), folder.path()).has_value())
      << "another machine";
  std::string other = grid_of_workers();
  other.replace(other.find("batch_size: 16}"), 15, "batch_size: 8}");
  EXPECT_FALSE(earlier_model_rate(scenario_of(other), same, folder.path()).has_value())
      << "another baseline";
  EXPECT_FALSE(
      earlier_model_rate(scenario_of(grid_of_workers()), same, folder.path() / "none").has_value());
}

}  // namespace
}  // namespace tune::campaign
