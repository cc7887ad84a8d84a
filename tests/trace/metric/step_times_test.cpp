#include "trace/metric/step_times.h"

#include "found.h"
#include "trace/metric/device_use.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {

namespace {

using profile::Category;
using table::WrittenTimeline;

WrittenTimeline steps_of(const std::vector<double>& lengths_us) {
  WrittenTimeline trace;
  double begin_us = 0;
  for (std::size_t i = 0; i < lengths_us.size(); ++i) {
    const std::string name = "ProfilerStep#" + std::to_string(i);
    trace.host(Category::user_annotation, name, begin_us, lengths_us[i]);
    begin_us += lengths_us[i];
  }
  return trace;
}

TEST(StepVariance, IsOfTheMarkedSteps) {
  WrittenTimeline trace = steps_of({100, 100, 400});
  const TraceInput input = examine(trace.timeline());
  const auto metrics = step_variance(input);
  EXPECT_NEAR(value(metrics, "step_time_p50"), 100e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "step_time_p95"), 370e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "step_time_p99"), 394e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "step_time_cv"), 0.8660254037844386, 1e-12);
  EXPECT_EQ(value(metrics, "outlier_step_count"), 0);
  EXPECT_NEAR(value(metrics, "first_step_ratio"), 100.0 / 250, 1e-12);
  EXPECT_NEAR(value(metrics, "early_step_ratio"), 100.0 / 400, 1e-12);
  EXPECT_EQ(*step_count(input).value, 3);
}

TEST(StepVariance, CountsStepsFarFromTheMean) {
  std::vector<double> lengths(20, 100.0);
  lengths.push_back(1000);
  WrittenTimeline trace = steps_of(lengths);
  EXPECT_EQ(value(step_variance(examine(trace.timeline())), "outlier_step_count"), 1);
}

TEST(StepVariance, NeedsTwoSteps) {
  WrittenTimeline one = steps_of({100});
  EXPECT_NE(reason(step_variance(examine(one.timeline())), "step_time_cv"), "");
  WrittenTimeline none;
  none.op("aten::add", 0, 10);
  EXPECT_NE(reason(step_variance(examine(none.timeline())), "step_time_cv"), "");
  WrittenTimeline two = steps_of({100, 100});
  EXPECT_NE(reason(step_variance(examine(two.timeline())), "early_step_ratio"), "");
  EXPECT_FALSE(step_count(examine(none.timeline())).is_applicable());
}

TEST(DataWaitP95, IsOfTheStepsWaits) {
  WrittenTimeline trace = steps_of({100, 100, 100});
  trace.host(Category::user_annotation, "enumerate(DataLoader)#x.__next__", 100, 10);
  trace.host(Category::user_annotation, "enumerate(DataLoader)#x.__next__", 200, 30);
  const auto waits = data_waits(examine(trace.timeline()));
  EXPECT_NEAR(value(waits, "data_wait_p95"), 28e-6, 1e-12);  // 0, 10, 30 at position 1.9
  EXPECT_EQ(value(waits, "long_wait_ratio"), 0);
  WrittenTimeline without = steps_of({100, 100});
  EXPECT_NE(reason(data_waits(examine(without.timeline())), "data_wait_p95"), "");
}

TEST(LongWaits, AreThoseOfMoreThan30Ms) {
  WrittenTimeline trace = steps_of({100'000, 100'000, 100'000, 100'000});
  trace.host(Category::user_annotation, "enumerate(DataLoader)#x.__next__", 100, 29'000);
  trace.host(Category::user_annotation, "enumerate(DataLoader)#x.__next__", 200'000, 31'000);
  EXPECT_DOUBLE_EQ(value(data_waits(examine(trace.timeline())), "long_wait_ratio"), 0.25);
}

TEST(DeviceTail, IsWorkAfterTheLastStep) {
  WrittenTimeline trace = steps_of({100, 100});
  trace.kernel("k", 190, 30, -1);
  EXPECT_NEAR(*device_tail_time(examine(trace.timeline())).value, 20e-6, 1e-12);
  WrittenTimeline unmarked;
  unmarked.kernel("k", 190, 30, -1);
  EXPECT_FALSE(device_tail_time(examine(unmarked.timeline())).is_applicable());
}

TEST(StepClock, RunsOnlyWithinSteps) {
  const StepClock clock({{10, 20}, {30, 50}});
  EXPECT_EQ(clock.at(0), 0);
  EXPECT_EQ(clock.at(15), 5);
  EXPECT_EQ(clock.at(25), 10);
  EXPECT_EQ(clock.at(30), 10);
  EXPECT_EQ(clock.at(60), 30);
  EXPECT_FALSE(clock.runs_at(9));
  EXPECT_TRUE(clock.runs_at(10));
  EXPECT_FALSE(clock.runs_at(20));
  EXPECT_TRUE(clock.runs_at(49));
  EXPECT_FALSE(clock.runs_at(50));
  EXPECT_FALSE(StepClock().runs_at(0));
}

}  // namespace

}  // namespace tune::metric
