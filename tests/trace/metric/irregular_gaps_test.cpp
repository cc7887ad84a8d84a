// Times without a row: in some steps without a pattern, and before the first layer.

#include "found.h"
#include "trace/metric/other_phase.h"
#include "trace/metric/partition_ratios.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

constexpr double kGapUs = 6000;

// Steps of a forward pass and an optimizer of 5 ms each; those of `gaps` go on for 6 ms.
WrittenTimeline steps_with_gaps(int steps, const std::vector<int>& gaps, bool with_row = false) {
  WrittenTimeline trace;
  double at = 0;
  for (int i = 0; i < steps; ++i) {
    const bool has_gap = std::find(gaps.begin(), gaps.end(), i) != gaps.end();
    const double length = 10'000 + (has_gap ? kGapUs : 0);
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i), at, length);
    trace.host(Category::user_annotation, "forward", at, 5000);
    trace.host(Category::user_annotation, "Optimizer.step#SGD.step", at + 5000, 5000);
    if (has_gap && with_row) {
      trace.host(Category::user_annotation, "save", at + 10'100, 10);
    }
    at += length;
  }
  return trace;
}

// In gaps: those that follow no pattern, and those that the loop has.
std::pair<double, double> gaps_of(int steps, const std::vector<int>& gaps, bool with_row = false) {
  WrittenTimeline trace = steps_with_gaps(steps, gaps, with_row);
  const TraceInput input = examine(trace.timeline());
  const double all_us = steps * 10'000 + static_cast<double>(gaps.size()) * kGapUs;
  const auto count = [all_us](const Metric& metric) { return *metric.value * all_us / kGapUs; };
  return {count(irregular_gap_ratio(input)), count(other_phase_ratio(input))};
}

void expect_gaps(const std::pair<double, double>& gaps, double irregular, double of_loop) {
  EXPECT_NEAR(gaps.first, irregular, 0.1);
  EXPECT_NEAR(gaps.second, of_loop, 0.1);
}

TEST(IrregularGaps, ComeAtDifferentDistances) {
  expect_gaps(gaps_of(8, {1, 2, 5}), 3, 0);
}

TEST(IrregularGaps, OrAreMissingWhereOneMoreWasDue) {
  expect_gaps(gaps_of(8, {1, 3}), 2, 0);
  expect_gaps(gaps_of(8, {4, 5}), 2, 0);
}

TEST(IrregularGaps, AreNoneOfALoopThatSavesInEachNthStep) {
  expect_gaps(gaps_of(8, {1, 3, 5}), 0, 3);
  expect_gaps(gaps_of(8, {2, 5}), 0, 2);
}

TEST(IrregularGaps, AreNoneInAllStepsOrInOne) {
  expect_gaps(gaps_of(4, {0, 1, 2, 3}), 0, 4);
  expect_gaps(gaps_of(8, {3}), 0, 1);
}

TEST(IrregularGaps, HaveNoRow) {
  expect_gaps(gaps_of(8, {1, 2, 5}, true), 0, 3);
}

// 0.9 and 1.1 ms are the same work of a loop.
TEST(IrregularGaps, AreLongerThanWhatOtherStepsHave) {
  WrittenTimeline trace = table::marked_step(1000);
  for (int i = 0; i < 6; ++i) {
    const bool is_long = i == 1 || i == 2;
    const double at = 10'000 + 10'000 * i;
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i + 2), at, 10'000);
    trace.host(Category::user_annotation, "forward", at, is_long ? 8900 : 9100);
  }
  EXPECT_EQ(*irregular_gap_ratio(examine(trace.timeline())).value, 0);
}

TEST(IrregularGaps, NeedPhases) {
  WrittenTimeline trace = table::marked_step(1000);
  EXPECT_EQ(irregular_gap_ratio(examine(trace.timeline())).reason,
            "nothing marks forward, backward or optimizer");
}

TEST(BeforeLayers, IsThePartOfTheUnexplainedTimeThatComesFirst) {
  WrittenTimeline trace = table::marked_step(1000);
  trace.op("aten::stack", 300, 100);
  trace.op("aten::linear", 600, 200);
  trace.op("aten::linear", 850, 50);
  EXPECT_DOUBLE_EQ(*before_layers_ratio(examine(trace.timeline())).value, 500.0 / 650);
}

TEST(BeforeLayers, NeedsALayerAndUnexplainedTime) {
  WrittenTimeline without = table::marked_step(1000);
  without.op("aten::stack", 300, 100);
  EXPECT_EQ(before_layers_ratio(examine(without.timeline())).reason, "no step computes a layer");
  WrittenTimeline full = table::marked_step(1000);
  full.op("aten::linear", 0, 1000);
  EXPECT_EQ(before_layers_ratio(examine(full.timeline())).reason,
            "no part of the steps is unexplained");
}

}  // namespace
}  // namespace tune::metric
