#include "worker/cuda/trace_check.h"

#include <gtest/gtest.h>

namespace tune::worker {
namespace {

using Problems = std::vector<std::string>;
const std::vector<std::int64_t> kTwoSteps = {0, 100'000, 200'000};

CallRow launch(std::int64_t start_ns, std::uint32_t correlation) {
  CallRow call;
  call.start_ns = start_ns;
  call.end_ns = start_ns + 5'000;
  call.correlation = correlation;
  return call;
}

KernelRow kernel(std::int64_t start_ns, std::int64_t end_ns, std::uint32_t correlation) {
  KernelRow row;
  row.start_ns = start_ns;
  row.end_ns = end_ns;
  row.stream = 7;
  row.correlation = correlation;
  return row;
}

// One kernel per step, each after its launch.
DeviceTrace healthy() {
  DeviceTrace trace;
  trace.calls = {launch(10'000, 1), launch(110'000, 2)};
  trace.kernels = {kernel(20'000, 30'000, 1), kernel(120'000, 130'000, 2)};
  return trace;
}

TEST(TraceCheck, AHealthyTraceHasNoProblem) {
  const TraceCheck check = check_trace(healthy(), kTwoSteps);
  EXPECT_EQ(check.problems, Problems{});
  EXPECT_EQ(check.least_delay_ns, 10'000);
  EXPECT_EQ(check.kernels_in_steps, (std::vector<std::int64_t>{1, 1}));
}

TEST(TraceCheck, EachCountOfTheDecoderIsAProblem) {
  DeviceTrace trace = healthy();
  trace.counts.dropped = 3;
  trace.counts.without_time = 2;
  trace.counts.backwards = 1;
  trace.counts.broken_buffers = 4;
  trace.counts.unknown_kinds = 9;  // those were not requested
  EXPECT_EQ(check_trace(trace, kTwoSteps).problems,
            (Problems{"3 records were dropped (CUPTI had no buffer)",
                      "2 records have no time",
                      "1 records end before they start",
                      "4 buffers of records cannot be read to the end"}));
}

TEST(TraceCheck, WorkNeedsTheCallThatLaunchedIt) {
  DeviceTrace trace = healthy();
  CopyRow copy;
  copy.start_ns = 50'000;
  copy.end_ns = 60'000;
  copy.correlation = 77;
  trace.copies.push_back(copy);
  const TraceCheck check = check_trace(trace, kTwoSteps);
  EXPECT_EQ(check.other_work_without_launch, 1);
  EXPECT_EQ(check.problems, Problems{}) << "libraries copy through calls that are not recorded";
  EXPECT_EQ(check.notes, Problems{"1 copies or sets have no launch call"});
  trace.kernels[1].correlation = 78;
  const TraceCheck without = check_trace(trace, {0, 200'000});
  EXPECT_EQ(without.kernels_without_launch, 1);
  EXPECT_EQ(without.problems, Problems{"1 kernels have no launch call"});
}

TEST(TraceCheck, KernelsWithoutALaunchAreNamed) {
  DeviceTrace trace = healthy();
  trace.names = {"gemm", std::string(100, 'k')};
  trace.kernels[0].correlation = trace.kernels[1].correlation = 78;
  EXPECT_EQ(check_trace(trace, {0, 200'000}).problems.front(),
            "2 kernels have no launch call (most often gemm)");
  trace.kernels[0].name = trace.kernels[1].name = 1;
  EXPECT_EQ(check_trace(trace, {0, 200'000}).problems.front(),
            "2 kernels have no launch call (most often " + std::string(80, 'k') + "...)");
}

TEST(TraceCheck, AStrayKernelIsNoted) {
  DeviceTrace trace;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    const std::int64_t at_ns = 100 * static_cast<std::int64_t>(i);
    trace.calls.push_back(launch(at_ns, i));
    trace.kernels.push_back(kernel(at_ns + 1, at_ns + 90, i));
  }
  trace.kernels[7].correlation = 5'000;
  const std::vector<std::int64_t> one_step = {0, 200'000};
  TraceCheck check = check_trace(trace, one_step);
  EXPECT_EQ(check.problems, Problems{});
  EXPECT_EQ(check.notes, Problems{"1 kernels have no launch call"});
  trace.kernels[8].correlation = 5'000;
  EXPECT_EQ(check_trace(trace, one_step).problems, Problems{"2 kernels have no launch call"})
      << "more than 0.1 %";
}

TEST(TraceCheck, AStartBeforeTheLaunchIsAllowedFiveMicroseconds) {
  DeviceTrace trace = healthy();
  trace.kernels[0].start_ns = 5'000;
  EXPECT_EQ(check_trace(trace, kTwoSteps).problems, Problems{});
  trace.kernels[0].start_ns = 4'999;
  const TraceCheck check = check_trace(trace, kTwoSteps);
  EXPECT_EQ(check.kernels_before_launch, 1);
  EXPECT_EQ(check.least_delay_ns, -5'001);
  EXPECT_EQ(check.problems.size(), 1U);
}

TEST(TraceCheck, TheOuterOfTwoCallsWithOneCorrelationIsTheLaunch) {
  DeviceTrace trace = healthy();
  trace.calls.insert(trace.calls.begin() + 1, launch(28'000, 1));
  EXPECT_EQ(check_trace(trace, kTwoSteps).least_delay_ns, 10'000);
}

TEST(TraceCheck, KernelsOfOneStreamThatOverlapAreNoted) {
  DeviceTrace trace = healthy();
  trace.calls.push_back(launch(12'000, 3));
  trace.calls.push_back(launch(112'000, 4));
  trace.kernels = {kernel(20'000, 30'000, 1),
                   kernel(29'000, 40'000, 3),
                   kernel(120'000, 130'000, 2),
                   kernel(130'000, 140'000, 4)};
  EXPECT_EQ(check_trace(trace, kTwoSteps).problems, Problems{});
  EXPECT_EQ(check_trace(trace, kTwoSteps).notes, Problems{});
  trace.kernels[1].start_ns = 28'999;
  const TraceCheck check = check_trace(trace, kTwoSteps);
  EXPECT_EQ(check.overlapping_kernels, 1);
  EXPECT_EQ(check.problems, Problems{}) << "they may have been launched to overlap";
  EXPECT_EQ(check.notes, Problems{"1 kernels overlap the previous one on their stream"});
  trace.kernels[1].stream = 8;
  EXPECT_EQ(check_trace(trace, kTwoSteps).notes, Problems{}) << "streams run concurrently";
  trace.kernels[1].stream = 7;
  trace.kernels[1].graph = 5;
  EXPECT_EQ(check_trace(trace, kTwoSteps).notes, Problems{}) << "as do nodes of a graph";
}

TEST(TraceCheck, StepsLaunchTheSameNumberOfKernelsWithinOneOrOnePercent) {
  DeviceTrace trace;
  for (std::uint32_t i = 0; i < 205; ++i) {  // 102 and 103
    const std::int64_t at_ns = i < 102 ? 100 * i : 100'000 + 100 * (i - 102);
    trace.calls.push_back(launch(at_ns, i));
    trace.kernels.push_back(kernel(at_ns, at_ns + 50, i));
  }
  EXPECT_EQ(check_trace(trace, kTwoSteps).problems, Problems{});
  trace.kernels.erase(trace.kernels.begin(), trace.kernels.begin() + 1);
  EXPECT_EQ(check_trace(trace, kTwoSteps).problems,
            Problems{"the steps differ in their kernels (101 to 103)"});
}

TEST(TraceCheck, AKernelBelongsToTheStepThatLaunchedIt) {
  DeviceTrace trace = healthy();
  trace.kernels[0].start_ns = 105'000;  // runs late
  trace.kernels[0].end_ns = 115'000;
  EXPECT_EQ(check_trace(trace, kTwoSteps).kernels_in_steps, (std::vector<std::int64_t>{1, 1}));
}

TEST(TraceCheck, ATraceWithoutKernelsIsNoTrace) {
  EXPECT_EQ(check_trace(DeviceTrace(), kTwoSteps).problems, Problems{"no kernel was recorded"});
}

TEST(TraceCheck, OutsideOfTheWindowNothingIsKept) {
  DeviceTrace trace = healthy();
  ExternalRow kept;
  kept.correlation = 2;
  ExternalRow gone;
  gone.correlation = 1;
  trace.externals = {gone, kept};
  OverheadRow across;
  across.start_ns = 90'000;
  across.end_ns = 110'000;
  trace.overheads = {across};
  clip_trace(trace, 100'000, 200'000);
  ASSERT_EQ(trace.kernels.size(), 1U);
  EXPECT_EQ(trace.kernels[0].correlation, 2U);
  ASSERT_EQ(trace.calls.size(), 1U);
  EXPECT_EQ(trace.overheads.size(), 1U) << "what overlaps stays";
  ASSERT_EQ(trace.externals.size(), 1U);
  EXPECT_EQ(trace.externals[0].correlation, 2U);
}

}  // namespace
}  // namespace tune::worker
