#include "measure/history/read_entry.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tune::history {
namespace {

using dataset::complaint_of;
using nlohmann::json;

json estimate(double value, const char* unit) {
  return {{"value", value},
          {"lower", value * 0.9},
          {"upper", value * 1.1},
          {"confidence", 0.97},
          {"n", 6},
          {"unit", unit}};
}

json metric(const char* id, double value, const char* cell, const char* window) {
  json entry = estimate(value, "s");
  entry["id"] = id;
  entry["cell"] = cell;
  entry["window"] = window;
  return entry;
}

json common(const char* kind) {
  return {{"schema", "tune-result/1"},
          {"kind", kind},
          {"scenario", {{"name", "mlp"}, {"sha256", "aa"}, {"text", "..."}}},
          {"environment",
           {{"device", "cpu"},
            {"cpus", 2},
            {"cpu_model", "Some CPU"},
            {"gpus", {"Some GPU"}},
            {"worker", {{"torch_version", "2.11.0"}}},
            {"data", {{"manifest_sha256", "bb"}}}}},
          {"provenance",
           {{"tune_version", "0.1.0"},
            {"commit", "cc"},
            {"directory", "/runs/a"},
            {"started", "2026-01-02T03:04:05Z"},
            {"elapsed", 61.5},
            {"overrides", json::array()},
            {"worker_sha256", "dd"},
            {"complete", true}}}};
}

json run() {
  json result = common("run");
  result["summary"] = {
      {"headline", "amp=bf16 is faster"},
      {"standing", "faster"},
      {"baseline", {{"knobs", {{"batch_size", 8}}}, {"throughput", estimate(100, "samples/s")}}},
      {"best",
       {{"changed", {{"amp", "bf16"}, {"num_workers", 2}}},
        {"throughput", estimate(120, "samples/s")},
        {"gain", estimate(0.2, "ratio")}}}};
  result["metrics"] = {metric("step_time", 0.5, "baseline", "search"),
                       metric("step_time", 0.4, "c01", "confirm"),
                       metric("epoch_time", 9, "baseline", "search"),
                       metric("epoch_time", 8, "baseline", "confirm"),
                       metric("gpu_power", 8, "baseline", "confirm")};
  result["recommendations"] =
      json::array({{{"id", "R1"},
                    {"rule", "input-bound"},
                    {"predicted", {{"lower", 0.1}, {"upper", 0.3}, {"model", "amdahl"}}},
                    {"measured", {{"value", 0.15}, {"lower", 0.12}, {"upper", 0.18}, {"pairs", 6}}},
                    {"verdict", "CONFIRMED"}}});
  return result;
}

json gate(const char* baseline, const char* candidate) {
  json result = common("gate");
  result["gate"] = {
      {"verdict", "REGRESSED"},
      {"why", "throughput is worse"},
      {"stored_baseline", nullptr},
      {"sides", {{"baseline", {{"words", baseline}}}, {"candidate", {{"words", candidate}}}}},
      {"rows",
       {{{"metric", "throughput"},
         {"kind", "measured"},
         {"unit", "samples/s"},
         {"baseline", 100.0},
         {"candidate", 80.0},
         {"delta", estimate(-0.2, "ratio")},
         {"pairs", 10}},
        {{"metric", "operators"}, {"kind", "counted"}, {"baseline", 61}, {"candidate", 61}}}}};
  return result;
}

Entry entry_of(const json& result) {
  const auto entry = read_entry(result.dump(), "run");
  EXPECT_TRUE(entry);
  return entry.value_or(Entry());
}

constexpr const char* kOwn = "the scenario's baseline setting";

TEST(ReadEntry, OfARunItIsTheBaselineAndWhatTheHeadlineIsAbout) {
  const Entry entry = entry_of(run());
  EXPECT_EQ(entry.kind, "run");
  EXPECT_EQ(entry.scenario, "mlp");
  EXPECT_EQ(entry.machine, "2 CPUs Some CPU") << "a GPU that trains nothing makes no difference";
  EXPECT_EQ(entry.started_utc, "2026-01-02T03:04:05Z");
  EXPECT_EQ(entry.elapsed_s, 61.5);
  EXPECT_EQ(entry.directory, "/runs/a");
  EXPECT_EQ(entry.setting, "amp=bf16 num_workers=2");
  EXPECT_EQ(entry.verdict, "faster");
  EXPECT_EQ(entry.headline, "amp=bf16 is faster");
  EXPECT_TRUE(entry.complete);
  EXPECT_EQ(entry.tune_version, "0.1.0");
  EXPECT_EQ(entry.commit, "cc");
  EXPECT_EQ(entry.torch_version, "2.11.0");
  EXPECT_EQ(entry.worker_sha256, "dd");
  ASSERT_TRUE(entry.find("throughput"));
  EXPECT_EQ(entry.find("throughput")->value, 100);
  EXPECT_EQ(entry.find("throughput")->lower, 90);
  EXPECT_EQ(entry.find("throughput")->n, 6);
  EXPECT_EQ(entry.find("best_throughput")->value, 120);
  EXPECT_EQ(entry.find("gain")->unit, "ratio");
  EXPECT_EQ(entry.find("step_time")->value, 0.5) << "of the baseline";
  EXPECT_EQ(entry.find("epoch_time")->value, 8) << "of the fresh pairs, where there are some";
  EXPECT_EQ(entry.find("gpu_power"), nullptr);
  ASSERT_EQ(entry.predictions.size(), 1U);
  EXPECT_EQ(entry.predictions[0].rule, "input-bound");
}

TEST(ReadEntry, OfAGateItIsTheSideThatIsTheScenarioAsItIsWritten) {
  const Entry changed = entry_of(gate(kOwn, "amp=bf16"));
  EXPECT_EQ(changed.kind, "gate");
  EXPECT_EQ(changed.setting, "amp=bf16");
  EXPECT_EQ(changed.verdict, "REGRESSED");
  EXPECT_EQ(changed.headline, "REGRESSED: throughput is worse");
  EXPECT_EQ(changed.find("throughput")->value, 100);
  EXPECT_EQ(changed.find("throughput")->n, 10);
  EXPECT_NEAR(changed.find("delta_throughput")->value, -0.2, 1e-12);
  EXPECT_EQ(changed.find("operators"), nullptr) << "counts are equal on every machine";
  json stored = gate("stored baseline main", kOwn);
  stored["gate"]["stored_baseline"] = "main";
  EXPECT_EQ(entry_of(stored).find("throughput")->value, 80);
  const Entry foreign = entry_of(gate("old.yaml", "new.yaml"));
  EXPECT_EQ(foreign.find("throughput"), nullptr) << "neither side is this scenario's baseline";
  EXPECT_NE(foreign.find("delta_throughput"), nullptr);
}

json with_own(json result, bool baseline, bool candidate) {
  result["gate"]["sides"]["baseline"]["own_setting"] = baseline;
  result["gate"]["sides"]["candidate"]["own_setting"] = candidate;
  return result;
}

TEST(ReadEntry, OfAGateOfTwoCommitsItIsTheCandidate) {
  const Entry entry =
      entry_of(with_own(gate("main at 0123456789ab", "HEAD at ba9876543210"), false, true));
  ASSERT_TRUE(entry.find("throughput"));
  EXPECT_EQ(entry.find("throughput")->value, 80);
  EXPECT_EQ(entry.find("throughput")->n, 10);
  EXPECT_NE(entry.find("delta_throughput"), nullptr);
}

TEST(ReadEntry, WhatAGateSaysOfItsSidesCountsNotTheirWords) {
  EXPECT_EQ(
      entry_of(with_own(gate("as written", "amp=bf16"), true, false)).find("throughput")->value,
      100);
  EXPECT_EQ(entry_of(with_own(gate(kOwn, kOwn), true, true)).find("throughput")->value, 100);
  EXPECT_EQ(entry_of(with_own(gate(kOwn, kOwn), false, false)).find("throughput"), nullptr);
  json nonsense = gate(kOwn, "amp=bf16");
  nonsense["gate"]["sides"]["baseline"]["own_setting"] = "yes";
  EXPECT_EQ(entry_of(nonsense).find("throughput"), nullptr);
}

TEST(ReadEntry, RunsAndGatesOfOneScenarioCompare) {
  EXPECT_EQ(entry_of(run()).subject, entry_of(gate(kOwn, "amp=bf16")).subject);
}

TEST(ReadEntry, OtherTextsDataAndSettingsDoNotCompare) {
  const std::string subject = entry_of(run()).subject;
  EXPECT_EQ(subject.size(), 16U);
  json text = run(), data = run(), setting = run(), rounds = run();
  text["scenario"]["sha256"] = "ab";
  data["environment"]["data"]["manifest_sha256"] = "bc";
  setting["provenance"]["overrides"] = {"batch_size=16"};
  rounds["provenance"]["overrides"] = {"rounds=3", "budget=10m"};
  EXPECT_NE(entry_of(text).subject, subject);
  EXPECT_NE(entry_of(data).subject, subject);
  EXPECT_NE(entry_of(setting).subject, subject);
  EXPECT_EQ(entry_of(rounds).subject, subject) << "how long it measured makes no difference";
}

TEST(ReadEntry, TheMachineIsItsCpusAndTheGpusThatTrained) {
  json gpu = run();
  gpu["environment"]["device"] = "cuda";
  gpu["environment"]["cpus"] = 1;
  EXPECT_EQ(entry_of(gpu).machine, "1 CPU Some CPU, Some GPU");
  json unknown = run();
  unknown["environment"]["cpu_model"] = nullptr;
  EXPECT_EQ(entry_of(unknown).machine, "2 CPUs of unknown model");
}

TEST(ReadEntry, ARunHasOneKeyWhereverItsDirectoryIsRead) {
  const auto here = read_entry(run().dump(), "here"), there = read_entry(run().dump(), "there");
  EXPECT_EQ(here->key, there->key);
  json other = run();
  other["provenance"]["started"] = "2026-01-02T03:04:06Z";
  EXPECT_NE(entry_of(other).key, here->key);
}

TEST(ReadEntry, WhatIsNotKnownIsMissing) {
  json result = common("run");
  result["summary"] = {{"baseline", nullptr}, {"best", nullptr}, {"standing", "baseline-failed"}};
  result["metrics"] = "no list";
  const Entry entry = entry_of(result);
  EXPECT_EQ(entry.verdict, "baseline-failed");
  EXPECT_TRUE(entry.measures.empty());
  EXPECT_TRUE(entry.predictions.empty());
  json empty = common("gate");
  EXPECT_TRUE(entry_of(empty).measures.empty());
}

TEST(ReadEntry, WhatAGateMeasuredIsNoEntryASecondTime) {
  json again = gate(kOwn, "amp=bf16");
  EXPECT_TRUE(read_entry(again.dump(), "here"));
  again["gate"]["after_the_fact"] = nullptr;
  EXPECT_TRUE(read_entry(again.dump(), "here"));
  again["gate"]["after_the_fact"] = {{"directory", "/runs/a"}};
  EXPECT_FALSE(read_entry(again.dump(), "here"));
}

TEST(ReadEntry, TextsAreCutAtTheEndOfACharacter) {
  json result = run();
  std::string longest(kLongestText - 1, 'x');
  result["summary"]["headline"] = longest + "\xC3\xA9 and more";
  EXPECT_EQ(entry_of(result).headline, longest);
  EXPECT_EQ(bounded_text(std::string("a\0b", 3)), "a b");
}

TEST(ReadEntry, AnAnalysisIsNoRunAndWhatIsDamagedIsRefused) {
  EXPECT_FALSE(read_entry(common("analyze").dump(), "x"));
  EXPECT_EQ(complaint_of([] { read_entry("{\"schema\":", "runs/x"); }),
            "runs/x: result.json is damaged (no JSON) tune report runs/x?");
  json other = run();
  other["schema"] = "tune-result/9";
  EXPECT_EQ(complaint_of([&] { read_entry(other.dump(), "runs/x"); }),
            "runs/x: result.json is from another version (tune-result/9)");
  json nameless = run();
  nameless["scenario"] = 7;
  EXPECT_EQ(complaint_of([&] { read_entry(nameless.dump(), "runs/x"); }),
            "runs/x: result.json is damaged (it lacks the scenario's name or the start)");
}

}  // namespace
}  // namespace tune::history
