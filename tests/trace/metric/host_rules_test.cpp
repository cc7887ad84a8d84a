// Metrics of what the host calls, loads and does between phases.

#include "found.h"
#include "trace/metric/data_loading.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/idle_time.h"
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
using table::marked_step;
using table::WrittenTimeline;

void fill(WrittenTimeline& trace,
          const std::string& call,
          const std::string& name,
          double start_us,
          std::int64_t correlation) {
  trace.call(call, start_us, 5, correlation);
  trace.work(Category::memset, name, start_us + 2, 1, correlation);
}

TEST(SyncMemset, WaitsOnlyForMemoryOfTheHost) {
  WrittenTimeline trace = marked_step(1000);
  fill(trace, "cudaMemset", "Memset (Pinned)", 0, 1);
  fill(trace, "cudaMemset", "Memset (Managed)", 10, 2);
  fill(trace, "cudaMemset", "Memset (Device)", 20, 3);
  fill(trace, "cudaMemsetAsync", "Memset (Pinned)", 30, 4);
  const auto metrics = sync_memset_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_memset_count"), 2);
  EXPECT_DOUBLE_EQ(value(metrics, "sync_memset_time"), 10e-6);
}

TEST(SyncMemset, NeedsWhatWasFilled) {
  WrittenTimeline trace = marked_step(1000);
  trace.call("cudaMemset", 0, 5, 1);
  EXPECT_NE(reason(sync_memset_metrics(examine(trace.timeline())), "sync_memset_count"), "");
  WrittenTimeline host = marked_step(1000);
  host.op("aten::mm", 0, 5);
  EXPECT_NE(reason(sync_memset_metrics(examine(host.timeline())), "sync_memset_count"), "");
  WrittenTimeline other = marked_step(1000);
  other.call("cudaLaunchKernel", 0, 5, 1);
  EXPECT_EQ(value(sync_memset_metrics(examine(other.timeline())), "sync_memset_count"), 0);
}

TEST(AllocatorRetries, AreAllocationsAfterMemoryWasGivenBack) {
  WrittenTimeline trace = marked_step(1000);
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
  WrittenTimeline trace = marked_step(1000);
  trace.op("aten::empty", 0, 100);
  EXPECT_NE(allocator_retry_count(examine(trace.timeline())).reason, "");
}

TEST(LoaderOperators, AreThoseWithinTheLoadersRowsOfTheMainThread) {
  constexpr const char* kLoader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
  WrittenTimeline trace = marked_step(1000);
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
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, kLoader, 0, 500);  // the first one starts the workers
  trace.host(Category::user_annotation, kLoader, 510, 20);
  trace.host(Category::user_annotation, kLoader, 540, 30);
  trace.host(Category::user_annotation, kLoader, 0, 90, "worker");
  EXPECT_DOUBLE_EQ(*loader_batch_time(examine(trace.timeline())).value, 30e-6);
  WrittenTimeline own = marked_step(1000);
  own.host(Category::user_annotation, "enumerate(DataLoader)#ring", 0, 500);
  EXPECT_EQ(loader_batch_time(examine(own.timeline())).reason,
            "no step fetches from PyTorch's Python loader");
}

TEST(LoaderReceive, BeginsWithTheFirstTensorOfABatch) {
  constexpr const char* kLoader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, kLoader, 0, 100);
  trace.op("aten::empty", 40, 5);
  trace.op("aten::set_", 60, 5);
  trace.host(Category::user_annotation, kLoader, 200, 100);
  trace.op("aten::empty", 290, 2);
  trace.op("aten::set_", 295, 2);
  trace.op("aten::mm", 400, 50);
  EXPECT_DOUBLE_EQ(*loader_receive_ratio(examine(trace.timeline())).value, 0.07);
}

TEST(LoaderReceive, DoesNotHoldTheWaitForAWorkerThatIsLater) {
  constexpr const char* kLoader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, kLoader, 0, 500);
  trace.op("aten::empty", 40, 5);  // the batch of another worker, which is put aside
  trace.op("aten::set_", 60, 5);
  trace.op("aten::empty", 470, 5);
  trace.op("aten::set_", 490, 5);
  trace.host(Category::user_annotation, kLoader, 600, 100);
  trace.op("aten::empty", 660, 5);
  trace.op("aten::set_", 670, 5);
  EXPECT_DOUBLE_EQ(*loader_receive_ratio(examine(trace.timeline())).value, 0.03 * 2 + 0.04);
}

TEST(LoaderReceive, IsNotApplicableWhereNoTensorComesFromAWorker) {
  WrittenTimeline pinned = marked_step(1000);  // the thread that pins takes the batch
  pinned.host(Category::user_annotation,
              "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
              0,
              100);
  EXPECT_EQ(loader_receive_ratio(examine(pinned.timeline())).reason,
            "the training thread takes no tensor from a worker");
  WrittenTimeline own = marked_step(1000);
  own.host(Category::user_annotation,
           "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
           0,
           100);
  own.op("aten::stack", 40, 5);
  EXPECT_FALSE(loader_receive_ratio(examine(own.timeline())).value.has_value());
}

TEST(LoaderOperators, NeedALoader) {
  WrittenTimeline trace = marked_step(1000);
  trace.op("aten::stack", 10, 40);
  EXPECT_NE(loader_operator_count(examine(trace.timeline())).reason, "");
}

TEST(GapHostCover, IsOfTheLongestGap) {
  WrittenTimeline trace = marked_step(1000);
  trace.kernel("k", 0, 10, -1);
  trace.kernel("k", 60, 10, -1);
  trace.kernel("k", 470, 10, -1);  // 400 us after the one before
  trace.op("aten::save", 100, 200);
  trace.call("cudaMalloc", 250, 100, -1);
  EXPECT_DOUBLE_EQ(*gap_host_cover_ratio(examine(trace.timeline())).value, 250.0 / 400);
}

TEST(GapHostCover, NeedsAGap) {
  WrittenTimeline trace = marked_step(1000);
  trace.kernel("k", 0, 10, -1);
  EXPECT_EQ(gap_host_cover_ratio(examine(trace.timeline())).reason,
            "no device is silent between two pieces of work");
}

TEST(Phases, ABatchThatIsMovedIsATransfer) {
  WrittenTimeline trace = marked_step(10'000);
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
  WrittenTimeline trace = marked_step(1000);
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
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_device_ratio"), 0.03);
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
  WrittenTimeline trace = marked_step(1000);
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
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, "Optimizer.step#SGD.step", 0, 100);
  numbered(trace, "aten::add_", 10, 20, 5);  // the number that the next operator takes
  numbered(trace, "aten::mse_loss", 200, 100, 5);
  numbered(trace, "MseLossBackward0", 300, 100, 5, 1);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "forward_ratio"), 0.1);
}

TEST(Optimizer, OnTheCpuIsAllExposed) {
  WrittenTimeline trace = marked_step(1000);
  trace.op("Optimizer.step#SGD.step", 100, 200);  // profilers of 2021 mark it with an operator
  trace.op("aten::add_", 110, 20);
  const auto metrics = phase_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_exposed_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, "optimizer_operator_count"), 1);
  EXPECT_EQ(reason(metrics, "optimizer_kernel_count"), "the trace has rows of the CPU alone");
}

TEST(ZeroFills, BehindABusyDeviceCostWhatItTakes) {
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, "Optimizer.zero_grad#SGD.zero_grad", 0, 100);
  trace.op("aten::zero_", 10, 80);
  trace.call("cudaLaunchKernel", 14, 5, 1);
  trace.kernel("before", 0, 150, -1);
  trace.kernel("fill", 150, 10, 1);
  EXPECT_DOUBLE_EQ(value(zero_fills(examine(trace.timeline())), "zero_fill_ratio"), 0.01);
}

TEST(ZeroFills, AreThoseOfZeroGrad) {
  WrittenTimeline trace = marked_step(1000);
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
  WrittenTimeline trace = marked_step(1000);
  trace.host(Category::user_annotation, "Optimizer.zero_grad#SGD.zero_grad", 0, 100);
  trace.op("aten::mm", 200, 20);
  EXPECT_EQ(value(zero_fills(examine(trace.timeline())), "zero_fill_count"), 0);
  WrittenTimeline unmarked = marked_step(1000);
  unmarked.op("aten::zero_", 0, 20);
  EXPECT_EQ(reason(zero_fills(examine(unmarked.timeline())), "zero_fill_ratio"),
            "no row is called Optimizer.zero_grad#");
}

}  // namespace
}  // namespace tune::metric
