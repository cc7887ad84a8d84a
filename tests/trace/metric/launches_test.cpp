#include "trace/metric/launches.h"

#include "found.h"
#include "trace/metric/critical_path.h"
#include "trace/metric/idle_time.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {

namespace {

using profile::Category;
using table::WrittenTimeline;

void add_step(WrittenTimeline& trace, int number, double begin_us, double us) {
  trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(number), begin_us, us);
}

// A launch and its kernel, joined by their number.
void launch(WrittenTimeline& trace,
            std::int64_t number,
            profile::Interval call_us,
            profile::Interval kernel_us) {
  const auto us = [](std::int64_t value) { return static_cast<double>(value); };
  trace.call("cudaLaunchKernel", us(call_us.begin_ns), us(call_us.length_ns()), number);
  trace.kernel("k", us(kernel_us.begin_ns), us(kernel_us.length_ns()), number);
}

WrittenTimeline four_launches() {
  WrittenTimeline trace;
  add_step(trace, 1, 0, 1000);
  add_step(trace, 2, 1000, 1000);
  launch(trace, 1, {100, 110}, {120, 125});      // 10 us late, shorter than its call
  launch(trace, 2, {200, 220}, {210, 510});      // begins before its call returns
  launch(trace, 3, {300, 360}, {510, 550});      // 150 us late, and a slow call
  launch(trace, 4, {1100, 1110}, {1130, 1230});  // 20 us late
  return trace;
}

TEST(LaunchDelay, IsFromTheEndOfTheCallToTheKernel) {
  WrittenTimeline trace = four_launches();
  const auto metrics = launch_delays(examine(trace.timeline()));
  EXPECT_NEAR(value(metrics, "launch_delay_median"), 15e-6, 1e-12);
  EXPECT_NEAR(value(metrics, "launch_delay_p95"), 130.5e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "launch_delay_outlier_count"), 0.5);
}

TEST(LaunchTimes, AreOfTheCallsThemselves) {
  WrittenTimeline trace = four_launches();
  const auto metrics = launch_times(examine(trace.timeline()));
  EXPECT_NEAR(value(metrics, "launch_time_mean"), 25e-6, 1e-12);
  EXPECT_DOUBLE_EQ(value(metrics, "slow_launch_ratio"), 0.25);
}

TEST(ShortKernels, AreThoseShorterThanACallThatWasNotHeldUp) {
  WrittenTimeline trace = four_launches();
  const auto metrics = short_kernels(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "short_kernel_count"), 0.5);
  EXPECT_DOUBLE_EQ(value(metrics, "short_kernel_ratio"), 0.25);
}

TEST(IdleTime, SaysWhatTheHostTakesForALaunch) {
  WrittenTimeline trace = four_launches();
  // 85 us before the second kernel, 580 us before the fourth; the third was waiting in the queue.
  EXPECT_NEAR(value(idle_breakdown(examine(trace.timeline())), "host_wait_per_launch_time"),
              665e-6 / 4,
              1e-12);
}

TEST(LaunchDelay, NeedsLaunchesThatCanBeJoined) {
  WrittenTimeline trace;
  trace.kernel("k", 0, 10, -1);
  EXPECT_NE(reason(launch_delays(examine(trace.timeline())), "launch_delay_p95"), "");
  EXPECT_NE(reason(short_kernels(examine(trace.timeline())), "short_kernel_ratio"), "");
  EXPECT_NE(reason(launch_times(examine(trace.timeline())), "launch_time_mean"), "");
  EXPECT_NE(reason(launch_queue(examine(trace.timeline())), "launch_queue_p95"), "");
  EXPECT_NE(reason(idle_breakdown(examine(trace.timeline())), "host_wait_ratio"), "");
}

TEST(Launches, ThatAreMissingForEveryFifthKernelLeaveWaitsUnknown) {
  WrittenTimeline trace = four_launches();
  trace.kernel("without a call", 1300, 10, -1);
  const TraceInput input = examine(trace.timeline());
  constexpr const char* kWhy =
      "20 % of the kernels cannot be joined to the calls that launched them: calls or correlation "
      "ids are missing";
  EXPECT_EQ(reason(launch_delays(input), "launch_delay_p95"), kWhy);
  EXPECT_EQ(reason(short_kernels(input), "short_kernel_ratio"), kWhy);
  EXPECT_EQ(reason(launch_queue(input), "launch_queue_p95"), kWhy);
  EXPECT_EQ(reason(idle_breakdown(input), "host_wait_ratio"), kWhy);
  EXPECT_EQ(reason(critical_path_ratios(input), "critical_path_kernel_ratio"), kWhy);
}

TEST(Launches, OfBeforeTheTraceAreNotMissing) {
  WrittenTimeline trace = four_launches();
  for (int i = 0; i < 4; ++i) {
    trace.kernel("queued before", 10 * i, 5, -1);
  }
  EXPECT_EQ(reason(launch_queue(examine(trace.timeline())), "launch_queue_p95"), "");
}

TEST(LaunchQueue, CountsWhatWasIssuedAndHasNotBegun) {
  WrittenTimeline trace;
  add_step(trace, 1, 0, 100);
  launch(trace, 1, {0, 10}, {40, 60});   // waits from 10 to 40
  launch(trace, 2, {10, 20}, {60, 80});  // and from 20 to 60
  const auto metrics = launch_queue(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "launch_queue_mean"), 0.7);
  EXPECT_DOUBLE_EQ(value(metrics, "launch_queue_p95"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "queue_full_ratio"), 0);
}

TEST(LaunchQueue, IsFullFrom1022) {
  WrittenTimeline trace;
  add_step(trace, 1, 0, 4000);
  for (std::int64_t i = 0; i < 1030; ++i) {
    launch(trace, i + 1, {i, i + 1}, {2000 + i, 2001 + i});
  }
  const auto metrics = launch_queue(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "queue_full_ratio"), (2008.0 - 1022.0) / 4000.0);
}

TEST(IdleBreakdown, NamesWhatTheStreamWaitedFor) {
  WrittenTimeline trace;
  add_step(trace, 1, 0, 1000);
  launch(trace, 1, {0, 10}, {20, 100});
  launch(trace, 2, {30, 40}, {110, 200});    // issued long before: 10 us from kernel to kernel
  launch(trace, 3, {50, 60}, {260, 300});    // issued long before, but 60 us
  launch(trace, 4, {400, 410}, {420, 430});  // the host came 100 us late: 120 us
  const auto metrics = idle_breakdown(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "idle_host_wait_ratio"), 120.0 / 190);
  EXPECT_DOUBLE_EQ(value(metrics, "idle_kernel_wait_ratio"), 10.0 / 190);
  EXPECT_DOUBLE_EQ(value(metrics, "idle_other_ratio"), 60.0 / 190);
  EXPECT_DOUBLE_EQ(value(metrics, "host_wait_ratio"), 0.12);
  EXPECT_DOUBLE_EQ(value(metrics, "kernel_wait_ratio"), 0.01);
}

TEST(IdleBreakdown, OfABusyStreamHasNoShares) {
  WrittenTimeline trace;
  add_step(trace, 1, 0, 100);
  launch(trace, 1, {0, 10}, {20, 100});
  const auto metrics = idle_breakdown(examine(trace.timeline()));
  EXPECT_NE(reason(metrics, "idle_host_wait_ratio"), "");
  EXPECT_DOUBLE_EQ(value(metrics, "host_wait_ratio"), 0);
}

}  // namespace

}  // namespace tune::metric
