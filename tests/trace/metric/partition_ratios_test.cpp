#include "trace/metric/partition_ratios.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {

namespace {

using profile::Category;
using table::WrittenTimeline;

// A step of 100 us, of which operators take the first 40.
void begin(WrittenTimeline& trace) {
  trace.host(Category::user_annotation, "ProfilerStep#0", 0, 100);
  trace.op("aten::mm", 0, 40);
}

CoveringRange found(WrittenTimeline& trace) {
  return covering_range(examine(trace.timeline()));
}

TEST(CoveringRange, IsTheSmallestThatCoversHalfOfWhatNothingExplains) {
  WrittenTimeline trace;
  begin(trace);
  trace.host(Category::user_annotation, "train", 0, 100);
  trace.host(Category::user_annotation, "augment", 50, 40);
  trace.host(Category::user_annotation, "log", 92, 8);
  const CoveringRange range = found(trace);
  EXPECT_EQ(range.name, "augment");
  EXPECT_NEAR(range.ratio, 40.0 / 60, 1e-9);
}

TEST(CoveringRange, IsTheLargestWhereNoneCoversHalf) {
  WrittenTimeline trace;
  begin(trace);
  trace.host(Category::user_annotation, "augment", 50, 20);
  trace.host(Category::user_annotation, "log", 92, 8);
  EXPECT_EQ(found(trace).name, "augment");
  EXPECT_NEAR(found(trace).ratio, 20.0 / 60, 1e-9);
}

TEST(CoveringRange, MayBeAFunctionOfPython) {
  WrittenTimeline trace;
  begin(trace);
  trace.host(Category::python_function, "train.py(10): main", 0, 100);
  trace.host(Category::python_function, "data.py(3): crop", 45, 50);
  EXPECT_EQ(found(trace).name, "data.py(3): crop");
}

TEST(CoveringRange, CountsRowsOfOneNameOnce) {
  WrittenTimeline trace;
  begin(trace);
  trace.host(Category::python_function, "walk", 30, 40);
  trace.host(Category::python_function, "walk", 50, 10);             // calls itself
  trace.host(Category::python_function, "walk", 60, 15, "another");  // longer than the first
  trace.host(Category::python_function, "walk", 98, 10);             // beyond the step
  EXPECT_NEAR(found(trace).ratio, 37.0 / 60, 1e-9);
}

TEST(CoveringRange, IsNotApplicableWithoutOne) {
  WrittenTimeline trace;
  begin(trace);
  const Metric metric = covering_range_ratio(examine(trace.timeline()));
  EXPECT_FALSE(metric.is_applicable());
  EXPECT_NE(metric.reason.find("record_function"), std::string::npos);
}

}  // namespace

}  // namespace tune::metric
