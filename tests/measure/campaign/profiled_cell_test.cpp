#include "measure/campaign/profiled_cell.h"

#include "measure/campaign/cell_history.h"
#include "measure/campaign/recorded_run.h"

#include <gtest/gtest.h>

namespace tune::campaign {

namespace {

constexpr std::int64_t kMs = 1'000'000;

TrialRecord recorded(const std::string& stage, const std::string& cell, const std::string& file) {
  TrialRecord record;
  record.stage = stage;
  record.spec.cell = cell;
  record.spec.id = stage + "1-" + cell;
  trial::TrialReply& reply = record.outcome.reply.emplace();
  reply.step_phases = {
      {.forward_ns = 10 * kMs}, {.forward_ns = 12 * kMs}, {.forward_ns = 50 * kMs}};
  trial::ProfileOutcome& profile = reply.profile.emplace();
  profile.step_ns = {12 * kMs, 13 * kMs, 15 * kMs};
  profile.file = file;
  profile.reason = file.empty() ? "the disk is full" : "";
  return record;
}

RecordedRun run_of(std::vector<TrialRecord> trials) {
  RecordedRun run;
  run.directory = "/runs/one";
  for (const char* const id : {"baseline", "c01"}) {
    scenario::Cell cell;
    cell.id = id;
    run.plan.cells.push_back(cell);
  }
  run.trials = std::move(trials);
  return run;
}

// The host runs ahead of a GPU: single steps say nothing, whole windows end with a wait.
TEST(ProfiledCell, OfAGpuWholeWindowsAreCompared) {
  TrialRecord record = recorded("confirm", "baseline", "trace.json.gz");
  trial::TrialReply& reply = *record.outcome.reply;
  reply.facts.device = "cuda";
  reply.slices.resize(2);
  reply.slices[0].wall_ns = 30 * kMs;
  reply.slices[0].steps = 3;
  reply.slices[1].wall_ns = 10 * kMs;
  reply.slices[1].steps = 1;
  reply.profile->step_ns = {1 * kMs, 1 * kMs, 34 * kMs};
  const ProfiledCell cell = profiled_cells(run_of({record})).at(0);
  EXPECT_DOUBLE_EQ(cell.dilation.value_or(0), 1.2);
  EXPECT_DOUBLE_EQ(cell.profiled_step_s.value_or(0), 0.012);
  EXPECT_DOUBLE_EQ(cell.measured_step_s.value_or(0), 0.010);
}

TEST(ProfiledCell, TellsTheStretchOfItsStepsAndWhereTheTraceIs) {
  const auto cells = profiled_cells(run_of({recorded("warmup", "baseline", "trace.json.gz")}));
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].cell, "baseline");
  EXPECT_EQ(cells[0].file, "/runs/one/trials/warmup1-baseline/trace.json.gz");
  EXPECT_DOUBLE_EQ(*cells[0].measured_step_s, 0.012);
  EXPECT_DOUBLE_EQ(*cells[0].profiled_step_s, 0.013);
  EXPECT_NEAR(*cells[0].dilation, 13.0 / 12, 1e-12);
  EXPECT_EQ(cells[0].reason, "");
}

TEST(ProfiledCell, TheTrialWithATraceComesBeforeThatOfTheConfirmation) {
  const RecordedRun run = run_of({recorded("warmup", "baseline", "a.json.gz"),
                                  recorded("confirm", "baseline", "b.json.gz"),
                                  recorded("warmup", "c01", "c.json.gz"),
                                  recorded("confirm", "c01", "")});
  const auto cells = profiled_cells(run);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].trial, "confirm1-baseline");
  EXPECT_EQ(cells[0].repeat, "/runs/one/trials/warmup1-baseline/a.json.gz");
  EXPECT_EQ(cells[1].trial, "warmup1-c01");
  EXPECT_TRUE(cells[1].repeat.empty()) << "the other trial has no trace";
}

TEST(ProfiledCell, AStretchedRecordingDoesNotHideAnother) {
  std::vector<TrialRecord> trials = {recorded("warmup", "baseline", "a.json.gz"),
                                     recorded("confirm", "baseline", "b.json.gz")};
  trials[1].outcome.reply->profile->step_ns = {15 * kMs, 15 * kMs, 15 * kMs};  // 1.25 times
  EXPECT_EQ(profiled_cells(run_of(trials)).at(0).trial, "warmup1-baseline");
  trials[0].outcome.reply->profile->file.clear();
  EXPECT_EQ(profiled_cells(run_of(trials)).at(0).trial, "confirm1-baseline");
  trials.erase(trials.begin());
  EXPECT_EQ(profiled_cells(run_of(trials)).at(0).trial, "confirm1-baseline");
}

TEST(ProfiledCell, WithoutATraceItSaysWhy) {
  const auto cells = profiled_cells(run_of({recorded("confirm", "c01", "")}));
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_TRUE(cells[0].file.empty());
  EXPECT_EQ(cells[0].reason, "the disk is full");
}

TEST(ProfiledCell, AReplyCannotPointOutOfItsFolder) {
  for (const char* const file : {"../../etc/passwd", "/etc/passwd", ".hidden", ".."}) {
    const auto cells = profiled_cells(run_of({recorded("confirm", "c01", file)}));
    EXPECT_TRUE(cells[0].file.empty()) << file;
    EXPECT_EQ(cells[0].reason, "the worker names no trace");
  }
}

TEST(ProfiledCell, TimesOfStretchedStepsAreRefusedAndCountsStay) {
  const auto numbers = [] {
    TraceNumbers all;
    all.partition.emplace();
    all.metrics = {{"data_wait_ratio", {.value = 0.3, .unit = "ratio"}},
                   {"step_time", {.value = 0.1, .unit = "s"}},
                   {"operator_count", {.value = 61, .unit = "count"}}};
    return all;
  };
  TraceNumbers faithful = numbers();
  refuse_stretched_times(faithful, kDilationLimit);
  EXPECT_TRUE(faithful.partition && faithful.metrics[0].value);
  refuse_stretched_times(faithful, std::nullopt);
  EXPECT_TRUE(faithful.partition);
  TraceNumbers stretched = numbers();
  refuse_stretched_times(stretched, 1.4);
  EXPECT_FALSE(stretched.partition);
  EXPECT_NE(stretched.partition_reason.find("1.40 times as long"), std::string::npos);
  EXPECT_FALSE(stretched.metrics[0].value || stretched.metrics[1].value);
  EXPECT_EQ(stretched.metrics[0].reason, stretched.partition_reason);
  EXPECT_EQ(stretched.metrics[2].value, 61);
}

TEST(ProfiledCell, RecordingIsNoPartOfWhatATrialCosts) {
  TrialRecord record = recorded("search", "baseline", "a.json.gz");
  record.outcome.start_ns = 0;
  record.outcome.end_ns = 9'000 * kMs;
  EXPECT_EQ(profile_ns(record), 0);
  record.outcome.reply->phases = {{"measure", 0, 4'000 * kMs},
                                  {"profiled", 5'000 * kMs, 6'000 * kMs}};
  EXPECT_EQ(profile_ns(record), 4'000 * kMs);
  TrialCost cost(scenario::Scenario(), 1);
  cost.add(0, record);
  EXPECT_EQ(cost.of(0, 0), 5'000 * kMs);
}

using Names = std::vector<std::pair<std::string, std::int64_t>>;

std::vector<table::Table> recorded(const Names& kernels) {
  table::Table table;
  table.id = "kernels";
  table.columns = {{.id = "name"}, {.id = "total_time", .quantity = table::Quantity::time_ns}};
  for (const auto& [name, ns] : kernels) {
    table.rows.push_back({name, ns});
  }
  return {table};
}

TEST(KernelSets, DifferByTheTimeThatOnlyOneRecordingSpendsInAKernel) {
  const KernelSets sets = compare_kernels(recorded({{"gemm", 70}, {"winograd", 30}}),
                                          recorded({{"gemm", 90}, {"implicit", 10}}));
  EXPECT_DOUBLE_EQ(sets.distance.value_or(-1), 0.3);
  EXPECT_EQ(sets.differing, (std::vector<std::string>{"winograd", "implicit"}));
}

TEST(KernelSets, OfEqualNamesAreEqualWhateverTheirTimes) {
  EXPECT_EQ(compare_kernels(recorded({{"gemm", 70}}), recorded({{"gemm", 90}})).distance, 0.0);
}

TEST(KernelSets, AreUnknownWithoutKernels) {
  const KernelSets sets = compare_kernels(recorded({{"gemm", 70}}), recorded({}));
  EXPECT_FALSE(sets.distance.has_value());
  EXPECT_EQ(sets.reason, "no kernels of a GPU were recorded");
}

Slot slot(const char* stage, std::int64_t round, std::size_t cell) {
  return {.stage = stage, .round = round, .cell = cell};
}

scenario::Scenario recording(const char* cells) {
  scenario::Scenario scenario;
  scenario.profile_cells = cells;
  return scenario;
}

TEST(ProfilePolicy, BaselineRecordsItsFirstTrial) {
  scenario::Scenario scenario = recording("baseline");
  EXPECT_TRUE(is_profiled(scenario, slot("warmup", 1, 0)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 0))) << "the second";
  EXPECT_FALSE(is_profiled(scenario, slot("confirm", 1, 0)));
  scenario.warmup_is_auto = false;  // nothing looks for a warm-up
  EXPECT_TRUE(is_profiled(scenario, slot("search", 1, 0)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 3)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 2, 0)));
}

TEST(ProfilePolicy, BestRecordsBothSidesOfTheFirstFreshPairs) {
  const scenario::Scenario scenario = recording("best");
  EXPECT_TRUE(is_profiled(scenario, slot("warmup", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("confirm", 2, 7)));
  EXPECT_TRUE(is_profiled(scenario, slot("ladder", 1, 0)));
  EXPECT_TRUE(is_profiled(scenario, slot("ladder", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("ladder", 2, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 7)));
  EXPECT_EQ(profiled_in_confirmation(scenario, 2), 3);
  EXPECT_EQ(scenario::Scenario().profile_cells, "best");
}

TEST(ProfilePolicy, AllRecordsEveryCellOnceInTheSearch) {
  const scenario::Scenario scenario = recording("all");
  EXPECT_TRUE(is_profiled(scenario, slot("search", 1, 7)));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 2, 7)));
  EXPECT_TRUE(is_profiled(scenario, slot("confirm", 1, 7)));
}

TEST(ProfilePolicy, ATrialForTheDiagnosisTakesThePlaceOfTheFirstOfTheSearch) {
  scenario::Scenario scenario = recording("baseline");
  scenario.warmup_is_auto = false;
  EXPECT_TRUE(is_profiled(scenario, slot("diagnose", 1, 0), true));
  EXPECT_FALSE(is_profiled(scenario, slot("search", 1, 0), true));
  EXPECT_FALSE(is_profiled(recording("none"), slot("diagnose", 1, 0), true));
  EXPECT_FALSE(is_profiled(recording("all"), slot("ceiling", 1, 0)));
  EXPECT_TRUE(is_profiled(recording("all"), slot("ladder", 1, 0)));
  EXPECT_FALSE(is_profiled(recording("baseline"), slot("ladder", 1, 0)));
}

TEST(ProfilePolicy, NoneRecordsNothingAndAuditAndEpochAreNeverRecorded) {
  for (const char* const stage : {"warmup", "search", "confirm", "ladder", "audit", "epoch"}) {
    EXPECT_FALSE(is_profiled(recording("none"), slot(stage, 1, 0))) << stage;
  }
  EXPECT_EQ(profiled_in_confirmation(recording("none"), 2), 0);
  EXPECT_EQ(profiled_in_confirmation(recording("baseline"), 2), 0);
  for (const char* const stage : {"audit", "epoch"}) {
    EXPECT_FALSE(is_profiled(recording("all"), slot(stage, 1, 0))) << stage;
  }
}

}  // namespace

}  // namespace tune::campaign
