#include "trace/metric/copies.h"

#include "found.h"
#include "written_timeline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
  EXPECT_DOUBLE_EQ(value(metrics, "d2d_exposed_ratio"), 0.05);
}

// A kernel that copies, below operators, with types or without.
void copy_kernel(WrittenTimeline& trace,
                 const std::vector<std::string>& operators,
                 const std::string& types,
                 const std::string& kernel,
                 double start_us,
                 std::int64_t number) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    profile::Event& event =
        trace.op(operators[i], start_us + static_cast<double>(i), 20 - 2 * static_cast<double>(i));
    if (!types.empty()) {
      const profile::StringId id = trace.text(types);
      trace.detail(event).input_types = id;
    }
  }
  trace.call("cudaLaunchKernel", start_us + 5, 2, number);
  trace.kernel(kernel, start_us + 30, 10, number);
}

TEST(Copies, ThatConvertAreNone) {
  constexpr const char* kCopy = "at::native::direct_copy_kernel_cuda";
  WrittenTimeline trace;
  trace.host(Category::user_annotation, "ProfilerStep#1", 0, 1000);
  const std::vector<std::string> cast = {"aten::to", "aten::_to_copy", "aten::copy_"};
  const std::vector<std::string> clone = {"aten::contiguous", "aten::clone", "aten::copy_"};
  copy_kernel(trace, cast, R"(["c10::BFloat16","float","Scalar"])", kCopy, 0, 1);
  copy_kernel(trace, cast, R"(["float","float","Scalar"])", kCopy, 100, 2);  // another layout
  copy_kernel(trace, cast, "", kCopy, 200, 3);  // nobody knows: .to(memory_format) as well
  copy_kernel(trace, clone, "", kCopy, 300, 4);
  copy_kernel(trace, {"aten::copy_"}, "", std::string(kCopy) + " LoadWithCast<1>", 400, 5);
  const TraceInput input = examine(trace.timeline());
  EXPECT_DOUBLE_EQ(value(copy_metrics(input, CopyWay::within_devices), "d2d_ratio"), 0.03);
  EXPECT_EQ(device_to_device_rows(input).size(), 3U);
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
