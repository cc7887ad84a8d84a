#include "trace/table/folded_stacks.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tune::table {
namespace {

TEST(FoldedStacks, AreSelfTimesOfNestedRowsOverAllSteps) {
  WrittenTimeline trace;
  for (const int step : {0, 1}) {
    const double begin_us = step * 100.0;
    trace.host(
        profile::Category::user_annotation, "ProfilerStep#" + std::to_string(step), begin_us, 100);
    trace.op("aten::linear", begin_us + 10, 50);
    trace.op("aten::mm", begin_us + 20, 30);
  }
  trace.op("a;b\nc", 5, 7, "other");
  EXPECT_EQ(folded_host_stacks(trace.input()),
            "thread main;ProfilerStep* 100\n"
            "thread main;ProfilerStep*;aten::linear 40\n"
            "thread main;ProfilerStep*;aten::linear;aten::mm 60\n"
            "thread other;a:b c 7\n");
}

TEST(FoldedStacks, OfDevicesStandInTheRowsThatIssuedThem) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 50);
  trace.call("cudaLaunchKernel", 10, 5, 1);
  trace.kernel("gemm", 30, 20, 1);
  trace.kernel("early", 5, 3, 99);
  EXPECT_EQ(folded_device_stacks(trace.input()),
            "(issued outside the trace);early 3\n"
            "thread main;aten::mm;cudaLaunchKernel;gemm 20\n");
}

TEST(FoldedStacks, CountWhatLiesTooDeepToTheLastFrame) {
  WrittenTimeline trace;
  constexpr int kDepth = 1000;
  for (int i = 0; i < kDepth; ++i) {
    trace.op(i % 2 == 0 ? "even" : "odd", i, 2 * (kDepth - i));
  }
  const std::string stacks = folded_host_stacks(trace.input());
  const std::string last = stacks.substr(stacks.rfind('\n', stacks.size() - 2) + 1);
  EXPECT_EQ(static_cast<std::size_t>(std::count(last.begin(), last.end(), ';')), kDeepestStack);
  EXPECT_EQ(last.substr(last.rfind(' ')), " 1490\n");  // all of the 256th row, and the rest in it
}

TEST(FoldedStacks, WhatRoundsToNothingIsLeftOut) {
  WrittenTimeline trace;
  trace.op("aten::mm", 0, 0.4);
  EXPECT_EQ(folded_host_stacks(trace.input()), "");
}

}  // namespace
}  // namespace tune::table
