#include "metric/copies.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

namespace tune::metric {
namespace {

using profile::Category;
using table::WrittenTimeline;

WrittenTimeline four_copies() {
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  trace.host(Category::user_annotation, "ProfilerStep#2", 1000, 1000);
  trace.call("cudaMemcpyAsync", 50, 150, 1);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 100, 50, 1, 1'000'000);
  trace.call("cudaMemcpyAsync", 1090, 5, 2);
  trace.copy("Memcpy HtoD (Pinned -> Device)", 1100, 50, 2, 3'000'000);
  trace.kernel("k", 1120, 80, -1);  // hides 30 us of it
  trace.copy("Memcpy DtoD (Device -> Device)", 300, 40, 3, 4000);
  trace.kernel("at::native::direct_copy_kernel_cuda", 400, 60, -1);
  return trace;
}

TEST(CopyWay, IsToldByTheName) {
  EXPECT_EQ(copy_way("Memcpy HtoD (Pinned -> Device)"), CopyWay::to_device);
  EXPECT_EQ(copy_way("Memcpy DtoH (Device -> Pageable)"), CopyWay::to_host);
  EXPECT_EQ(copy_way("Memcpy PtoP (Device -> Device)"), CopyWay::within_devices);
  EXPECT_EQ(copy_way("Memcpy HtoH (Pageable -> Pageable)"), std::nullopt);
  EXPECT_EQ(copy_way("Memset (Device)"), std::nullopt);
}

TEST(Copies, ToTheDeviceHaveTimesOfDeviceAndHost) {
  WrittenTimeline trace = four_copies();
  const auto metrics = copy_metrics(examine(trace.timeline()), CopyWay::to_device);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_count"), 1);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_bytes"), 2e6);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_device_ratio"), 0.05);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_exposed_ratio"), 0.035);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_host_ratio"), 0.0775);
  EXPECT_NEAR(value(metrics, "h2d_rate"), 4e10, 1);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_pageable_bytes"), 5e5);
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_pageable_host_ratio"), 0.075);
}

TEST(Copies, WithinTheDeviceCountTheKernelsThatCopy) {
  WrittenTimeline trace = four_copies();
  const auto metrics = copy_metrics(examine(trace.timeline()), CopyWay::within_devices);
  EXPECT_DOUBLE_EQ(value(metrics, "d2d_count"), 0.5);
  EXPECT_DOUBLE_EQ(value(metrics, "d2d_bytes"), 2000);
  EXPECT_DOUBLE_EQ(value(metrics, "d2d_ratio"), 0.05);
  EXPECT_DOUBLE_EQ(value(metrics, "d2d_exposed_ratio"), 0.02);
}

TEST(Copies, ThatNobodyMadeAreZeroAndSaySo) {
  WrittenTimeline trace = four_copies();
  const auto metrics = copy_metrics(examine(trace.timeline()), CopyWay::to_host);
  EXPECT_EQ(value(metrics, "d2h_count"), 0);
  EXPECT_TRUE(warns(found(metrics, "d2h_count"), kNoRows));
  EXPECT_NE(reason(metrics, "d2h_rate"), "");
}

TEST(Copies, WithoutTheirCallsHaveNoTimeOnTheHost) {
  WrittenTimeline trace;
  trace.copy("Memcpy HtoD (Pinned -> Device)", 0, 50, -1, profile::kUnknownNumber);
  const auto metrics = copy_metrics(examine(trace.timeline()), CopyWay::to_device);
  EXPECT_NE(reason(metrics, "h2d_host_ratio"), "");
  EXPECT_NE(reason(metrics, "h2d_pageable_host_ratio"), "");
  EXPECT_NE(reason(metrics, "h2d_rate"), "");
  EXPECT_DOUBLE_EQ(value(metrics, "h2d_device_ratio"), 1);
}

}  // namespace
}  // namespace tune::metric
