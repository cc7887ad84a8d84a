// The time of steps in which nothing trains.

#include "trace/metric/other_phase.h"

#include "found.h"
#include "trace/metric/host_syncs.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>

namespace tune::metric {
namespace {

using profile::Category;
using table::marked_step;
using table::WrittenTimeline;

double other_ratio(WrittenTimeline& trace) {
  return *other_phase_ratio(examine(trace.timeline())).value;
}

TEST(OtherPhase, IsWhatNoPhaseCovers) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 3000);
  trace.host(Category::user_annotation, "backward", 3090, 2910);  // 90 us are the interpreter's
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 6000, 1000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 7200, 800);  // one stretch
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.2);
}

TEST(OtherPhase, KernelsOfLayersThatNoPhaseIssuedAreAnotherForwardPass) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 300);
  trace.op("aten::conv2d", 10, 100);
  trace.call("cudaLaunchKernel", 20, 5, 1);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 400, 100);
  trace.op("aten::conv2d", 600, 100);  // the host runs ahead: its time says nothing
  trace.call("cudaLaunchKernel", 610, 5, 2);
  trace.op("aten::argmax", 800, 50);
  trace.call("cudaLaunchKernel", 810, 5, 3);
  trace.kernel("conv", 1000, 4000, 1);
  trace.kernel("conv", 5000, 3000, 2);
  trace.kernel("argmax", 8000, 1000, 3);
  EXPECT_DOUBLE_EQ(*other_layer_device_ratio(examine(trace.timeline())).value, 0.3);
}

TEST(OtherPhase, LayersInItAreAnotherForwardPass) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 4000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 4000, 2000);
  trace.op("aten::conv2d", 6000, 3000);
  trace.op("aten::argmax", 9000, 1000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.4);
  EXPECT_DOUBLE_EQ(*other_layer_ratio(examine(trace.timeline())).value, 0.75);
}

TEST(OtherPhase, BeginsWithAnOperatorOfNoPhase) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 0, 1000);
  trace.op("aten::item", 2000, 1000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 4000, 6000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.3);
}

TEST(OtherPhase, IsNeitherABatchThatIsMovedNorWorkThatIsIssued) {
  WrittenTimeline trace = marked_step(10'000);
  trace.op("aten::to", 0, 2000);
  trace.op("aten::_to_copy", 100, 1900);
  trace.op("aten::copy_", 200, 1800);
  trace.call("cudaMemcpyAsync", 300, 1700, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 1900, 90, 1, 4096);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 2000, 3000);
  for (int i = 0; i < 2; ++i) {  // an average of the weights; what lies between is part of it
    trace.op("aten::lerp_", 5000 + 1000 * i, 800);
    trace.call("cudaLaunchKernel", 5100 + 1000 * i, 10, 2 + i);
    trace.kernel("lerp", 5200 + 1000 * i, 10, 2 + i);
  }
  trace.op("aten::to", 8000, 2000);  // to the host: saving, less the call that waits
  trace.call("cudaMemcpyAsync", 8100, 1800, 9);
  trace.copy("Memcpy DtoH (Device -> Pageable)", 8200, 10, 9, 4096);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.14);
}

// Four steps of 100 ms that train for 80 ms of them, and for `last_ms` of the last.
WrittenTimeline four_steps(double last_ms) {
  constexpr double kMs = 1000;
  WrittenTimeline trace;
  for (int i = 0; i < 4; ++i) {
    const double begin = i * 100 * kMs;
    trace.host(
        Category::user_annotation, "ProfilerStep#" + std::to_string(i + 1), begin, 100 * kMs);
    trace.host(
        Category::user_annotation, "Optimizer.step#SGD.step", begin, (i == 3 ? last_ms : 80) * kMs);
  }
  return trace;
}

TEST(OtherPhase, IsNotWhatTheProfilerDoesInTheLastStepAlone) {
  WrittenTimeline even = four_steps(80);
  EXPECT_DOUBLE_EQ(other_ratio(even), 0.2);
  WrittenTimeline edge = four_steps(30);
  EXPECT_DOUBLE_EQ(other_ratio(edge), 0.15);
}

TEST(OtherPhase, IsWhatARowNamesInTheLastStepAsWell) {
  WrittenTimeline trace = four_steps(30);
  trace.host(Category::user_annotation, "save", 330'000, 70'000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.325);
}

TEST(OtherPhase, IsNothingThatGradientsNeed) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "backward", 0, 4000);
  trace.op("aten::_foreach_norm", 4500, 500);
  trace.op("aten::_foreach_mul_", 5500, 500);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 6500, 3500);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.1);  // before the first and after the last
}

TEST(OtherPhase, IsNotTheStartOfBackward) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 3000);
  trace.op("aten::ones_like", 4000, 100);
  trace.host(Category::user_annotation, "backward", 5000, 5000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.0);
  WrittenTimeline reading = marked_step(10'000);
  reading.host(Category::user_annotation, "forward", 0, 3000);
  reading.op("aten::item", 4000, 100);
  reading.host(Category::user_annotation, "backward", 5000, 5000);
  EXPECT_DOUBLE_EQ(other_ratio(reading), 0.2);
}

// The second of 20 steps has a pause after its optimizer.
double other_ratio_with_a_pause_of(double pause_us) {
  WrittenTimeline trace;
  for (int i = 0; i < 20; ++i) {
    const double begin_us = i * 20'000.0;
    trace.host(Category::user_annotation, "ProfilerStep#" + std::to_string(i), begin_us, 20'000);
    trace.host(Category::user_annotation,
               "Optimizer.step#SGD.step",
               begin_us,
               20'000 - (i == 1 ? pause_us : 0));
  }
  return other_ratio(trace);
}

TEST(OtherPhase, IsNoPauseThatOneStepHas) {
  EXPECT_DOUBLE_EQ(other_ratio_with_a_pause_of(9'000), 0);
  EXPECT_DOUBLE_EQ(other_ratio_with_a_pause_of(12'000), 0.03);
}

TEST(OtherPhase, NamesItsParts) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 3000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 4000, 1000);
  trace.host(Category::user_annotation, "checkpoint", 6000, 3800);
  const auto parts = other_parts(examine(trace.timeline()), 3);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "checkpoint");
  EXPECT_EQ(parts[1].name, "after forward");
  EXPECT_EQ(parts[1].interval.length_ns(), 1'000'000);
}

TEST(OtherPhase, IsNoTimeInWhichTheHostIsBlockedWhateverTheDeviceDoes) {
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, "forward", 0, 300);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("k", 100, 500, 1);
  trace.call("cudaDeviceSynchronize", 400, 400, 2);  // the device is done at 600
  EXPECT_DOUBLE_EQ(*other_phase_ratio(examine(trace.timeline())).value, 0.3);
}

TEST(OtherPhase, IsOfThirtyReadsThatWaitNoneOfTheirTime) {
  WrittenTimeline trace = marked_step(10'000);
  trace.host(Category::user_annotation, "forward", 0, 1000);
  for (int i = 0; i < 30; ++i) {  // all copies wait: none of them shows how long one takes
    trace.op("aten::item", 1000 + 300 * i, 300);
    trace.call("cudaMemcpyAsync", 1005 + 300 * i, 290, i + 1);
    trace.copy("Memcpy DtoH (Device -> Pinned)", 1290 + 300 * i, 2, i + 1, 4);
  }
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0);
  const auto reads = scalar_sync_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(reads, "small_d2h_count"), 30);
  EXPECT_DOUBLE_EQ(value(reads, "small_d2h_blocked_ratio"), 0.87);
}

TEST(OtherPhase, IsNotHiddenByAThreadThatWaitsForNothing) {
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, "forward", 0, 300);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("k", 100, 500, 1);
  trace.call("cudaEventSynchronize", 0, 1000, 2, "pins batches");
  EXPECT_DOUBLE_EQ(*other_phase_ratio(examine(trace.timeline())).value, 0.4);  // from 600 on
}

TEST(OtherPhase, IsWhatLiesBetweenTheStepsOfAutogradsOwnThread) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::user_annotation, "ProfilerStep#2", 1000, 1000);
  trace.host(Category::user_annotation, "backward", 0, 800, "autograd");
  trace.host(Category::user_annotation, "backward", 1000, 800, "autograd");
  EXPECT_DOUBLE_EQ(*other_phase_ratio(examine(trace.timeline())).value, 0.2);
}

TEST(OtherPhase, NeedsStepsAndPhases) {
  WrittenTimeline trace = marked_step(1000);
  trace.op("aten::mm", 0, 100);
  EXPECT_EQ(other_phase_ratio(examine(trace.timeline())).reason,
            "nothing marks forward, backward or optimizer");
  WrittenTimeline unmarked;
  unmarked.host(Category::user_annotation, "forward", 0, 300);
  unmarked.op("aten::mm", 0, 100);
  EXPECT_NE(other_phase_ratio(examine(unmarked.timeline())).reason, "");
}

}  // namespace
}  // namespace tune::metric
