#include "trace/metric/distinct_shapes.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

TEST(DistinctShapes, CountSetsOfSteps) {
  WrittenTimeline trace;
  const char* const kDims[] = {"[[8,4],[4,4]]", "[[8,4],[4,4]]", "[[6,4],[4,4]]"};
  for (int step = 0; step < 3; ++step) {
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(step), step * 100, 100);
    const profile::StringId dims = trace.text(kDims[step]);
    const profile::StringId scalar = trace.text("[[" + std::to_string(step) + "]]");
    // The same product once or twice, and an operator that nothing is chosen for.
    for (int i = 0; i <= step; ++i) {
      trace.detail(trace.op("aten::mm", step * 100 + 5 + 10 * i, 5)).input_dims = dims;
    }
    trace.detail(trace.op("aten::add", step * 100 + 50, 5)).input_dims = scalar;
  }
  EXPECT_DOUBLE_EQ(value(shape_metrics(examine(trace.timeline())), "distinct_shape_count"), 2);
}

// Steps of so many us, each with one product of so many rows.
void shaped_steps(WrittenTimeline& trace, const std::vector<std::pair<int, int>>& steps) {
  double at_us = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto [us, rows] = steps[i];
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i), at_us, us);
    const profile::StringId dims = trace.text("[[" + std::to_string(rows) + ",4],[4,4]]");
    trace.detail(trace.op("aten::mm", at_us + 5, 5)).input_dims = dims;
    at_us += us;
  }
}

TEST(DistinctShapes, CostWhatAFirstOneTakesLongerThanOthers) {
  WrittenTimeline trace;
  // The first step does not count; 100 us more than the same shape later. The last set comes once:
  // it may be more work.
  shaped_steps(trace, {{900, 8}, {200, 6}, {100, 8}, {100, 6}, {100, 8}, {150, 4}});
  const auto metrics = shape_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "distinct_shape_count"), 3);
  EXPECT_NEAR(value(metrics, "first_shape_excess_ratio"), 100.0 / 1550, 1e-12);
}

TEST(DistinctShapes, CostNobodyKnowsWhatWhereNoneComesAgain) {
  WrittenTimeline trace;
  shaped_steps(trace, {{100, 8}, {100, 6}, {100, 4}});
  EXPECT_EQ(reason(shape_metrics(examine(trace.timeline())), "first_shape_excess_ratio"),
            "no shapes that are new after the first step come again");
}

// Dynamic padding: steps are as long as their sequences, and tuning takes nothing.
TEST(DistinctShapes, CostNobodyKnowsWhatWhereOnlyTheFirstComesAgain) {
  WrittenTimeline trace;
  shaped_steps(trace, {{100, 8}, {300, 24}, {100, 8}, {200, 16}, {100, 8}});
  EXPECT_EQ(reason(shape_metrics(examine(trace.timeline())), "first_shape_excess_ratio"),
            "no shapes that are new after the first step come again");
}

TEST(DistinctShapes, CostNothingWhereNoneIsNew) {
  WrittenTimeline trace;
  shaped_steps(trace, {{300, 8}, {100, 8}, {100, 8}});
  EXPECT_EQ(value(shape_metrics(examine(trace.timeline())), "first_shape_excess_ratio"), 0);
}

TEST(DistinctShapes, AreToldByGridsWhereShapesWereNotRecorded) {
  WrittenTimeline trace;
  for (int step = 0; step < 3; ++step) {
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(step), step * 100, 100);
    trace.op("aten::mm", step * 100 + 5, 10);
    trace.call("cudaLaunchKernel", step * 100 + 6, 2, step + 1);
    trace.kernel("gemm", step * 100 + 20, 10, step + 1);
    trace.grid_of_last_kernel({step == 2 ? 7 : 5, 1, 1});
  }
  EXPECT_DOUBLE_EQ(value(shape_metrics(examine(trace.timeline())), "distinct_shape_count"), 2);
}

TEST(DistinctShapes, NeedShapes) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 5);
  const auto metrics = shape_metrics(examine(trace.timeline()));
  EXPECT_NE(reason(metrics, "distinct_shape_count").find("record_shapes"), std::string::npos);
}

}  // namespace
}  // namespace tune::metric
