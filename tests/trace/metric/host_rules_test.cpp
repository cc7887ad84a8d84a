// Metrics of what the host calls, loads and does between phases.

#include "found.h"
#include "trace/metric/data_loading.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/idle_time.h"
#include "trace/metric/other_phase.h"
#include "trace/metric/phase_ratios.h"
#include "trace/metric/runtime_calls.h"
#include "trace/metric/zero_fills.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

WrittenTimeline one_step() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  return trace;
}

void fill(WrittenTimeline& trace,
          const std::string& call,
          const std::string& name,
          double start_us,
          std::int64_t correlation) {
  trace.call(call, start_us, 5, correlation);
  trace.work(Category::memset, name, start_us + 2, 1, correlation);
}

TEST(SyncMemset, WaitsOnlyForMemoryOfTheHost) {
  WrittenTimeline trace = one_step();
  fill(trace, "cudaMemset", "Memset (Pinned)", 0, 1);
  fill(trace, "cudaMemset", "Memset (Managed)", 10, 2);
  fill(trace, "cudaMemset", "Memset (Device)", 20, 3);
  fill(trace, "cudaMemsetAsync", "Memset (Pinned)", 30, 4);
  const auto metrics = sync_memset_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_memset_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "sync_memset_time"), 10e-6);
}

TEST(SyncMemset, NeedsWhatWasFilled) {
  WrittenTimeline trace = one_step();
  trace.call("cudaMemset", 0, 5, 1);
  EXPECT_NE(reason(sync_memset_metrics(examine(trace.timeline())), "sync_memset_count"), "");
  WrittenTimeline host = one_step();
  host.op("aten::mm", 0, 5);
  EXPECT_NE(reason(sync_memset_metrics(examine(host.timeline())), "sync_memset_count"), "");
  WrittenTimeline other = one_step();
  other.call("cudaLaunchKernel", 0, 5, 1);
  EXPECT_EQ(value(sync_memset_metrics(examine(other.timeline())), "sync_memset_count"), 0);
}

TEST(AllocatorRetries, AreAllocationsAfterMemoryWasGivenBack) {
  WrittenTimeline trace = one_step();
  trace.op("aten::empty", 0, 100);
  trace.call("cudaMalloc", 5, 5, 1);
  trace.call("cudaDeviceSynchronize", 11, 5, 2);
  trace.call("cudaFree", 20, 5, 3);
  trace.call("cudaFree", 30, 5, 4);
  trace.call("cudaMalloc", 40, 5, 5);
  trace.op("aten::empty", 200, 100);  // the first one of the next operator
  trace.call("cudaMalloc", 205, 5, 6);
  trace.call("cudaFree", 220, 5, 7);
  trace.call("cudaLaunchKernel", 230, 5, 8);
  trace.call("cudaMalloc", 240, 5, 9);
  EXPECT_DOUBLE_EQ(*allocator_retry_count(examine(trace.timeline())).value, 1);
}

TEST(AllocatorRetries, NeedCalls) {
  WrittenTimeline trace = one_step();
  trace.op("aten::empty", 0, 100);
  EXPECT_NE(allocator_retry_count(examine(trace.timeline())).reason, "");
}

TEST(LoaderOperators, AreThoseWithinTheLoadersRowsOfTheMainThread) {
  constexpr const char* kLoader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, kLoader, 0, 100);
  trace.op("aten::stack", 10, 40);
  trace.op("aten::cat", 20, 20);
  trace.op("aten::mm", 200, 50);
  trace.host(Category::user_annotation, kLoader, 0, 100, "worker");
  trace.op("aten::stack", 10, 40, "worker");
  EXPECT_DOUBLE_EQ(*loader_operator_count(examine(trace.timeline())).value, 2);
}

TEST(LoaderBatchTime, IsTheMedianOfTheRowsOfPyTorchsLoader) {
  constexpr const char* kLoader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, kLoader, 0, 500);  // the first one starts the workers
  trace.host(Category::user_annotation, kLoader, 510, 20);
  trace.host(Category::user_annotation, kLoader, 540, 30);
  trace.host(Category::user_annotation, kLoader, 0, 90, "worker");
  EXPECT_DOUBLE_EQ(*loader_batch_time(examine(trace.timeline())).value, 30e-6);
  WrittenTimeline own = one_step();
  own.host(Category::user_annotation, "enumerate(DataLoader)#ring", 0, 500);
  EXPECT_EQ(loader_batch_time(examine(own.timeline())).reason,
            "no step fetches from PyTorch's Python loader");
}

TEST(LoaderOperators, NeedALoader) {
  WrittenTimeline trace = one_step();
  trace.op("aten::stack", 10, 40);
  EXPECT_NE(loader_operator_count(examine(trace.timeline())).reason, "");
}

TEST(GapHostCover, IsOfTheLongestGap) {
  WrittenTimeline trace = one_step();
  trace.kernel("k", 0, 10, -1);
  trace.kernel("k", 60, 10, -1);
  trace.kernel("k", 470, 10, -1);  // 400 us after the one before
  trace.op("aten::save", 100, 200);
  trace.call("cudaMalloc", 250, 100, -1);
  EXPECT_DOUBLE_EQ(*gap_host_cover_ratio(examine(trace.timeline())).value, 250.0 / 400);
}

TEST(GapHostCover, NeedsAGap) {
  WrittenTimeline trace = one_step();
  trace.kernel("k", 0, 10, -1);
  EXPECT_EQ(gap_host_cover_ratio(examine(trace.timeline())).reason,
            "no device is silent between two pieces of work");
}

WrittenTimeline long_step() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 10'000);
  return trace;
}

double other_ratio(WrittenTimeline& trace) {
  return *other_phase_ratio(examine(trace.timeline())).value;
}

TEST(OtherPhase, IsWhatNoPhaseCovers) {
  WrittenTimeline trace = long_step();
  trace.host(Category::user_annotation, "forward", 0, 3000);
  trace.host(Category::user_annotation, "backward", 3090, 2910);  // 90 us are the interpreter's
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 6000, 1000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 7200, 800);  // one stretch
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.2);
}

TEST(OtherPhase, BeginsWithAnOperatorOfNoPhase) {
  WrittenTimeline trace = long_step();
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 0, 1000);
  trace.op("aten::item", 2000, 1000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 4000, 6000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.3);
}

TEST(OtherPhase, IsNeitherABatchThatIsMovedNorWorkThatIsIssued) {
  WrittenTimeline trace = long_step();
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

TEST(OtherPhase, IsNothingThatGradientsNeed) {
  WrittenTimeline trace = long_step();
  trace.host(Category::user_annotation, "backward", 0, 4000);
  trace.op("aten::_foreach_norm", 4500, 500);
  trace.op("aten::_foreach_mul_", 5500, 500);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 6500, 3500);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.1);  // before the first and after the last
}

TEST(OtherPhase, IsNotTheStartOfBackward) {
  WrittenTimeline trace = long_step();
  trace.host(Category::user_annotation, "forward", 0, 3000);
  trace.op("aten::ones_like", 4000, 100);
  trace.host(Category::user_annotation, "backward", 5000, 5000);
  EXPECT_DOUBLE_EQ(other_ratio(trace), 0.0);
  WrittenTimeline reading = long_step();
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
  WrittenTimeline trace = long_step();
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
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "forward", 0, 300);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("k", 100, 500, 1);
  trace.call("cudaDeviceSynchronize", 400, 400, 2);  // the device is done at 600
  EXPECT_DOUBLE_EQ(*other_phase_ratio(examine(trace.timeline())).value, 0.3);
}

TEST(OtherPhase, IsOfThirtyReadsThatWaitNoneOfTheirTime) {
  WrittenTimeline trace = long_step();
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
  WrittenTimeline trace = one_step();
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
  WrittenTimeline trace = one_step();
  trace.op("aten::mm", 0, 100);
  EXPECT_EQ(other_phase_ratio(examine(trace.timeline())).reason,
            "nothing marks forward, backward or optimizer");
  WrittenTimeline unmarked;
  unmarked.host(Category::user_annotation, "forward", 0, 300);
  unmarked.op("aten::mm", 0, 100);
  EXPECT_NE(other_phase_ratio(examine(unmarked.timeline())).reason, "");
}

TEST(Phases, ABatchThatIsMovedIsATransfer) {
  WrittenTimeline trace = long_step();
  trace.op("aten::to", 0, 2000);
  trace.op("aten::copy_", 200, 1800);
  trace.op("aten::empty", 210, 10);
  trace.call("cudaMemcpyAsync", 300, 1700, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 1900, 90, 1, 4096);
  trace.op("aten::to", 3000, 100);  // nothing is moved
  const TraceInput input = examine(trace.timeline());
  const auto transfers =
      std::count(input.phases.begin(), input.phases.end(), table::Phase::transfer);
  EXPECT_EQ(transfers, 4);
}

TEST(Optimizer, ThatADeviceHidesIsNotExposed) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 100, 200);
  trace.op("aten::add_", 110, 20);
  trace.op("aten::mul", 112, 5);  // within the one before
  trace.call("cudaLaunchKernel", 120, 5, 1);
  trace.op("aten::_foreach_add_", 140, 20);
  trace.kernel("forward", 0, 250, -1);
  trace.kernel("add", 400, 30, 1);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_exposed_ratio"), 0.08);  // 250 to 300, and the kernel
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "multi_tensor_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_kernel_count"), 1);
}

// An operator with the sequence number that autograd gave it, or with one that it goes back
// through.
void numbered(WrittenTimeline& trace,
              const std::string& name,
              double start_us,
              double duration_us,
              std::int64_t number,
              std::int64_t forward_thread = 0) {
  profile::Event& event = trace.op(name, start_us, duration_us);
  profile::OpDetail& detail = trace.detail(event);
  detail.sequence_number = number;
  detail.forward_thread = forward_thread;
}

// PyTorch Lightning and LBFGS: loss and gradients are computed within the step.
TEST(Optimizer, IsNotTheClosureThatItCalls) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 0, 800);
  numbered(trace, "aten::conv2d", 10, 190, 5);
  trace.call("cudaLaunchKernel", 20, 5, 1);
  numbered(trace, "aten::mse_loss", 250, 50, 6);
  trace.op("autograd::engine::evaluate_function: MseLossBackward0", 310, 90);
  numbered(trace, "MseLossBackward0", 311, 80, 6, 1);
  numbered(trace, "ConvolutionBackward0", 400, 200, 5, 1);
  trace.op("aten::add_", 610, 20);
  trace.call("cudaLaunchKernel", 615, 5, 2);
  trace.kernel("conv", 30, 100, 1);
  trace.kernel("add", 900, 10, 2);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_kernel_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_ratio"), 0.21) << "0 to 10, and 600 to 800";
  EXPECT_DOUBLE_EQ(value(metrics, "forward_ratio"), 0.24);
  EXPECT_DOUBLE_EQ(value(metrics, "backward_ratio"), 0.29);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_exposed_ratio"), 0.22) << "and the kernel";
}

TEST(Optimizer, ThatRecordsGradientsIsNoForwardPass) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 0, 100);
  numbered(trace, "aten::add_", 10, 20, 5);  // the number that the next operator takes
  numbered(trace, "aten::mse_loss", 200, 100, 5);
  numbered(trace, "MseLossBackward0", 300, 100, 5, 1);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "forward_ratio"), 0.1);
}

TEST(Optimizer, OnTheCpuIsAllExposed) {
  WrittenTimeline trace = one_step();
  trace.op("Optimizer.step#SGD.step", 100, 200);  // profilers of 2021 mark it with an operator
  trace.op("aten::add_", 110, 20);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_exposed_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 1);
  EXPECT_EQ(reason(metrics, "optimizer_kernel_count"), "the trace has rows of the CPU alone");
}

TEST(ZeroFills, BehindABusyDeviceCostWhatItTakes) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.zero_grad#SGD.zero_grad", 0, 100);
  trace.op("aten::zero_", 10, 80);
  trace.call("cudaLaunchKernel", 14, 5, 1);
  trace.kernel("before", 0, 150, -1);
  trace.kernel("fill", 150, 10, 1);
  EXPECT_DOUBLE_EQ(value(zero_fills(examine(trace.timeline())), "zero_fill_ratio"), 0.01);
}

TEST(ZeroFills, AreThoseOfZeroGrad) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.zero_grad#SGD.zero_grad", 0, 100);
  trace.op("aten::zero_", 10, 20);
  trace.op("aten::fill_", 12, 10);
  trace.call("cudaLaunchKernel", 14, 5, 1);
  trace.op("aten::zero_", 40, 20);
  trace.op("aten::zero_", 500, 20);  // elsewhere
  trace.kernel("fill", 200, 10, 1);
  const auto metrics = zero_fills(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "zero_fill_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "zero_fill_ratio"), 0.05);
}

TEST(ZeroFills, AreNoneWhereGradientsAreDropped) {
  WrittenTimeline trace = one_step();
  trace.host(Category::user_annotation, "Optimizer.zero_grad#SGD.zero_grad", 0, 100);
  trace.op("aten::mm", 200, 20);
  EXPECT_EQ(value(zero_fills(examine(trace.timeline())), "zero_fill_count"), 0);
  WrittenTimeline unmarked = one_step();
  unmarked.op("aten::zero_", 0, 20);
  EXPECT_EQ(reason(zero_fills(examine(unmarked.timeline())), "zero_fill_ratio"),
            "no row is called Optimizer.zero_grad#");
}

}  // namespace
}  // namespace tune::metric
