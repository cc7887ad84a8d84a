#include "report/run_differences.h"

#include "stored_samples.h"

#include <gtest/gtest.h>

namespace tune::report {
namespace {

using nlohmann::json;
using Variables = std::vector<std::string>;

ComparedRun run_of(const json& document) {
  return {.name = "run", .result = stored(document)};
}

// "CPUs 2 -> 4!" with a mark for obstacles.
Variables words(const ComparedRun& a, const ComparedRun& b) {
  Variables all;
  for (const RunDifference& each : run_differences(a, b)) {
    all.push_back(words_of(each) + (each.is_obstacle ? "!" : ""));
  }
  return all;
}

// The sample run, changed at one place.
ComparedRun changed(const char* place, const json& value) {
  json document = run_document();
  document[json::json_pointer(place)] = value;
  return run_of(document);
}

TEST(RunDifferences, TheSameRunHasNone) {
  EXPECT_EQ(words(run_of(run_document()), run_of(run_document())), Variables{});
}

TEST(RunDifferences, AnotherMachineScenarioOrDataIsAnObstacle) {
  const ComparedRun run = run_of(run_document());
  EXPECT_EQ(words(run, changed("/environment/cpus", 4)), Variables{"CPUs 2 -> 4!"});
  EXPECT_EQ(words(run, changed("/environment/cpu_model", "Other")),
            Variables{"CPU " + run.result.environment.cpu_model.text + " -> Other!"});
  EXPECT_EQ(words(run, changed("/scenario/sha256", "ff")), Variables{"text of the scenario!"});
  EXPECT_EQ(words(run, changed("/environment/data/manifest_sha256", "ff")), Variables{"data!"});
}

TEST(RunDifferences, OfAnotherScenarioTheNamesAreSaid) {
  json document = run_document();
  document["scenario"]["sha256"] = "ff";
  document["scenario"]["name"] = "mlp";
  EXPECT_EQ(words(run_of(run_document()), run_of(document)),
            Variables{"scenario resnet18 -> mlp!"});
}

TEST(RunDifferences, OtherProgramsAreToldAndAreNoObstacle) {
  const ComparedRun run = run_of(run_document());
  EXPECT_EQ(words(run, changed("/environment/worker/torch_version", "2.12.0")),
            Variables{"LibTorch 2.11.0 -> 2.12.0"});
  EXPECT_EQ(words(run, changed("/provenance/tune_version", "9.9.9")).size(), 1U);
  EXPECT_EQ(words(run, changed("/provenance/worker_sha256", "0123456789abcdef")).size(), 1U);
}

TEST(RunDifferences, WhatOneOfThemDoesNotKnowIsNotCompared) {
  const ComparedRun run = run_of(run_document());
  EXPECT_EQ(words(run, changed("/environment/cpu_model", nullptr)), Variables{});
  EXPECT_EQ(words(run, changed("/environment/worker", nullptr)), Variables{});
  EXPECT_EQ(words(run, changed("/environment/data/manifest_sha256", nullptr)), Variables{});
  EXPECT_EQ(words(run, changed("/environment", json::object())), Variables{});
}

TEST(RunDifferences, VariablesCountWhereBothAreKnown) {
  ComparedRun a = run_of(run_document()), b = run_of(run_document());
  a.variables = {"OMP_NUM_THREADS=1"};
  EXPECT_EQ(words(a, b), Variables{});
  b.variables.emplace();
  EXPECT_EQ(words(a, b), Variables{"variables OMP_NUM_THREADS=1 -> none!"});
}

TEST(RunDifferences, AGpuThatTrainedNothingMakesNoDifference) {
  EXPECT_EQ(words(run_of(run_document()), changed("/environment/gpus", {"Some GPU"})), Variables{});
}

}  // namespace
}  // namespace tune::report
