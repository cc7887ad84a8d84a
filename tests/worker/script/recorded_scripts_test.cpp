// Notes of the small scripts in tests/python/scripts, against what those scripts do.

#include "worker/script/read_notes.h"
#include "worker/script/slices.h"
#include "worker/script/step_grouper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tune::script {
namespace {

struct Recorded {
  std::string name;
  std::set<std::int64_t> samples;  ///< of the steps of the window
  std::int64_t optimizer_steps = 1;
  bool by_batch = false;
};

void PrintTo(const Recorded& recorded, std::ostream* out) {
  *out << recorded.name;
}

std::filesystem::path file_of(const std::string& name) {
  return std::filesystem::path(RECORDED_NOTES) / (name + ".notes");
}

GroupedNotes group(const std::string& name, bool by_batch = false) {
  return group_steps(read_notes(file_of(name)).notes, by_batch);
}

class RecordedScripts : public testing::TestWithParam<Recorded> {};

TEST_P(RecordedScripts, StepsOfTheWindowAreWhatTheScriptDoes) {
  const Recorded& recorded = GetParam();
  const GroupedNotes grouped = group(recorded.name, recorded.by_batch);
  const auto window = steps_between(grouped, 1, 2);
  EXPECT_GE(window.size(), 10U);
  std::set<std::int64_t> samples;
  for (const Step& step : window) {
    samples.insert(step.samples);
    EXPECT_EQ(step.optimizer_steps, recorded.optimizer_steps);
    EXPECT_EQ(step.phases.total_ns(), step.wall_ns());
    EXPECT_GT(step.wall_ns(), 0);
  }
  EXPECT_EQ(samples, recorded.samples);
  EXPECT_EQ(what_to_count(grouped), "");
}

INSTANTIATE_TEST_SUITE_P(All,
                         RecordedScripts,
                         testing::ValuesIn(std::vector<Recorded>{
                             {"plain", {16}},
                             {"iterable", {16}},
                             {"prebatched", {20, 28}},
                             {"closure", {100}},
                             {"paired", {24}},
                             {"background", {16}},
                             {"fetches_ahead", {8, 16}},
                             {"accumulates", {40, 64}},
                             {"gan", {16}, 2},
                             {"in_backward", {16}, 4},
                             {"by_hand", {24}},
                             {"no_optimizer", {16}, 0},
                             {"inference", {16}, 0, true},
                             {"evaluates", {16}},
                             {"copies", {16}},
                         }),
                         [](const auto& tested) { return tested.param.name; });

TEST(RecordedScripts, EveryPartOfAPlainStepIsThere) {
  for (const Step& step : group("plain").steps) {
    EXPECT_GT(step.phases.data_wait_ns, 0);
    EXPECT_GT(step.phases.transfer_ns, 0);
    EXPECT_GT(step.phases.forward_ns, 0);
    EXPECT_GT(step.phases.backward_ns, 0);
    EXPECT_GT(step.phases.optimizer_ns, 0);
  }
}

TEST(RecordedScripts, EvaluationAndCheckpointsAreToldApart) {
  const GroupedNotes grouped = group("evaluates");
  EXPECT_GE(grouped.evaluations, 5);
  std::int64_t evaluation_ns = 0, checkpoint_ns = 0;
  for (const Step& step : grouped.steps) {
    evaluation_ns = std::max(evaluation_ns, step.outside.evaluation_ns);
    checkpoint_ns = std::max(checkpoint_ns, step.outside.checkpoint_ns);
  }
  EXPECT_GT(evaluation_ns, 5 * 2'000'000) << "it sleeps 2 ms for each of five batches";
  EXPECT_GT(checkpoint_ns, 0);
}

TEST(RecordedScripts, AScriptThatEndedByItselfHasItsSteps) {
  const GroupedNotes grouped = group("short");
  std::vector<std::int64_t> samples;
  for (const Step& step : grouped.steps) {
    samples.push_back(step.samples);
  }
  EXPECT_EQ(samples, (std::vector<std::int64_t>{16, 16, 16, 12}));
  EXPECT_TRUE(steps_between(grouped, 1, 2).empty());
}

// A kill at any moment leaves the first of the same steps.
TEST(RecordedScripts, EveryBeginningOfTheNotesGivesTheFirstSteps) {
  const auto notes = read_notes(file_of("evaluates")).notes;
  const GroupedNotes all = group_steps(notes);
  for (std::size_t count = 0; count < notes.size(); count += 7) {
    const GroupedNotes some = group_steps(std::span(notes).first(count));
    ASSERT_LE(some.steps.size(), all.steps.size());
    EXPECT_TRUE(std::equal(some.steps.begin(), some.steps.end(), all.steps.begin())) << count;
  }
}

}  // namespace
}  // namespace tune::script
