#include "worker/script/slices.h"

#include "worker/script/script_disturbance.h"

#include <gtest/gtest.h>

namespace tune::script {
namespace {

GroupedNotes steps_of(std::initializer_list<std::int64_t> walls_ns) {
  GroupedNotes notes;
  std::int64_t moment_ns = 0;
  for (const std::int64_t wall_ns : walls_ns) {
    Step step{.begin_ns = moment_ns, .end_ns = moment_ns + wall_ns + 1'000, .samples = 8};
    step.phases.forward_ns = wall_ns;
    step.outside.evaluation_ns = 1'000;
    moment_ns = step.end_ns;
    notes.steps.push_back(step);
  }
  return notes;
}

TEST(Slices, AreWholeStepsWithoutWhatIsOutside) {
  const auto notes = steps_of({60, 60, 60, 60, 60, 60, 60});
  trial::Measure measure;
  measure.slices = 2;
  measure.slice_ns = 100;
  measure.slice_steps = 3;
  const auto slices = slices_of(notes.steps, measure);
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0].steps, 3);
  EXPECT_EQ(slices[0].samples, 24);
  EXPECT_EQ(slices[0].wall_ns, 180);
  EXPECT_EQ(slices[0].phases.total_ns(), slices[0].wall_ns);
  EXPECT_EQ(slices[1].start_ns, notes.steps[3].begin_ns);
}

TEST(Slices, StepsThatAreLeftOverAreInNone) {
  trial::Measure measure;
  measure.slice_ns = 100;
  measure.slice_steps = 1;
  EXPECT_EQ(slices_of(steps_of({60, 60, 60}).steps, measure).size(), 1U);
}

TEST(Slices, AWindowLiesBetweenItsMarks) {
  auto notes = steps_of({10, 20, 30, 40});
  EXPECT_TRUE(steps_between(notes, 1, 2).empty());
  notes.marks = {{1, 0, 1}};
  EXPECT_EQ(steps_between(notes, 1, 2).size(), 3U);
  notes.marks.push_back({2, 0, 3});
  ASSERT_EQ(steps_between(notes, 1, 2).size(), 2U);
  EXPECT_EQ(steps_between(notes, 1, 2)[0].wall_ns(), 20);
  EXPECT_TRUE(steps_between(notes, 2, 1).empty());
}

TEST(Slices, WhatCannotBeToldIsAskedFor) {
  GroupedNotes notes = steps_of({10});
  EXPECT_EQ(what_to_count(notes), "");
  notes.steps[0].samples = 0;
  EXPECT_EQ(what_to_count(notes), "how many samples a step has cannot be seen");
  notes.steps.clear();
  EXPECT_EQ(what_to_count(notes), "nothing was trained");
  notes.has_loader = true;
  EXPECT_NE(what_to_count(notes).find("count: batches"), std::string::npos);
}

TEST(SpreadOver, SlicesThatEndWithinOneLookShareWhatOthersTook) {
  std::vector<trial::Slice> ended(3);
  ended[0].wall_ns = 100;
  ended[1].wall_ns = 300;
  ended[2].wall_ns = 400;
  const auto spread = spread_over(
      ended, {.minor_faults = 7, .other_cpu_ns = 500, .idle_cpu_ns = 1'000}, 1'000);
  ASSERT_EQ(spread.size(), 3U);
  EXPECT_EQ(spread[0].other_cpu_ns, 50);
  EXPECT_EQ(spread[1].other_cpu_ns, 150);
  EXPECT_EQ(spread[2].other_cpu_ns, 200);
  EXPECT_EQ(spread[2].idle_cpu_ns, 400);
  EXPECT_EQ(spread[0].minor_faults, 0);
  EXPECT_EQ(spread[2].minor_faults, 7);
  EXPECT_FALSE(spread[0].steal_ns) << "nobody knows";
}

}  // namespace
}  // namespace tune::script
