#include "trace/metric/host_syncs.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

// aten::item waits for a kernel; the device has nothing to do until the host comes back.
WrittenTimeline one_item() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.op("aten::item", 100, 200);
  trace.op("aten::_local_scalar_dense", 105, 190);
  trace.kernel("k", 50, 190, -1);
  trace.call("cudaMemcpyAsync", 110, 10, 5);
  trace.call("cudaStreamSynchronize", 120, 130, -1);
  trace.copy("Memcpy DtoH (Device -> Pinned)", 240, 2, 5, 4);
  trace.kernel("k", 400, 100, -1);
  return trace;
}

TEST(ScalarSyncs, AreCopiesThatTheSameOperatorWaitsFor) {
  WrittenTimeline trace = one_item();
  const TraceInput input = examine(trace.timeline());
  const auto metrics = scalar_sync_metrics(input);
  EXPECT_DOUBLE_EQ(value(metrics, "small_d2h_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "small_d2h_blocked_ratio"), 0.14);
  const auto syncs = scalar_syncs(input);
  ASSERT_EQ(syncs.size(), 1U);
  EXPECT_EQ(syncs[0].host_row, "aten::item");
  EXPECT_EQ(syncs[0].count, 1);
  EXPECT_EQ(syncs[0].blocked_ns, 140'000);
}

TEST(ScalarSyncs, AreNotLargeCopiesNorThoseThatNobodyWaitsFor) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.call("cudaMemcpyAsync", 10, 300, 1);
  trace.copy("Memcpy DtoH (Device -> Pageable)", 20, 280, 1, 1'000'000);
  trace.op("aten::to", 400, 50);
  trace.call("cudaMemcpyAsync", 410, 5, 2);
  trace.copy("Memcpy DtoH (Device -> Pinned)", 440, 2, 2, 8);
  trace.call("cudaStreamSynchronize", 500, 5, -1);  // outside of the operator
  EXPECT_EQ(value(scalar_sync_metrics(examine(trace.timeline())), "small_d2h_count"), 0);
}

TEST(SyncCalls, AreApartFromTheIdleTimeThatFollows) {
  WrittenTimeline trace = one_item();
  const auto metrics = sync_call_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_call_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "sync_call_ratio"), 0.13);
  EXPECT_DOUBLE_EQ(value(metrics, "idle_after_sync_ratio"), 0.158);  // from 242 to 400
}

TEST(SyncCalls, CostNothingWhileTheDeviceIsBusy) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.call("cudaEventSynchronize", 100, 200, -1);
  trace.kernel("k", 50, 300, -1);
  trace.kernel("k", 400, 100, -1);  // idle from 350, when nobody waits any more
  const auto metrics = sync_call_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_call_ratio"), 0.2);
  EXPECT_DOUBLE_EQ(value(metrics, "idle_after_sync_ratio"), 0);
}

TEST(SyncCalls, ForNothingAreNoTimeInWhichTheHostCouldHaveLaunched) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.kernel("k", 0, 100, -1);
  trace.call("cudaStreamSynchronize", 200, 100, -1);  // the device is done already
  trace.call("cudaStreamSynchronize", 400, 300, -1);
  trace.kernel("k", 600, 100, -1);
  EXPECT_DOUBLE_EQ(value(sync_call_metrics(examine(trace.timeline())), "idle_after_sync_ratio"),
                   0.3);
}

TEST(SyncCalls, OfATraceWithoutDeviceWorkLeaveNoIdleTime) {
  WrittenTimeline trace;
  trace.call("cudaDeviceSynchronize", 100, 200, -1);
  const auto metrics = sync_call_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_call_ratio"), 1);
  EXPECT_NE(reason(metrics, "idle_after_sync_ratio"), "");
}

TEST(SyncMemcpy, LeavesOutSmallCopiesToTheDevice) {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.call("cudaMemcpy", 800, 50, 9);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 810, 10, 9, 1000);
  trace.call("cudaMemcpy", 860, 40, 10);
  trace.copy("Memcpy DtoH (Device -> Pageable)", 870, 20, 10, 1'000'000);
  trace.call("cudaMemcpyAsync", 920, 40, 11);
  const auto metrics = sync_memcpy_metrics(examine(trace.timeline()));
  EXPECT_DOUBLE_EQ(value(metrics, "sync_memcpy_count"), 1);
  EXPECT_NEAR(value(metrics, "sync_memcpy_time"), 40e-6, 1e-12);
}

}  // namespace
}  // namespace tune::metric
