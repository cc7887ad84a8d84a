#include "trace/table/host_tree.h"

#include "written_timeline.h"

#include <gtest/gtest.h>

#include <random>

namespace tune::table {
namespace {

using profile::Category;
using profile::kNone;

TEST(HostTree, SelfTimeIsDurationLessDirectChildren) {
  WrittenTimeline written;
  written.op("a", 0, 100);
  written.op("b", 10, 50);
  written.op("c", 20, 20);
  written.op("d", 70, 10);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.parent, (std::vector<std::uint32_t>{kNone, 0, 1, 0}));
  EXPECT_EQ(tree.self_ns, (std::vector<std::int64_t>{40'000, 30'000, 20'000, 10'000}));
}

TEST(HostTree, KnowsTheRowsAroundARow) {
  WrittenTimeline written;
  written.op("a", 0, 100);
  written.op("b", 10, 50);
  written.call("cudaLaunchKernel", 20, 20, 1);
  written.call("cuLaunchKernel", 25, 10, 1);
  written.call("cudaFree", 200, 10, 2);
  const auto& timeline = written.timeline();
  const HostTree tree = nest_host_rows(timeline);
  EXPECT_EQ(tree.enclosing, (std::vector<std::uint32_t>{0, 1, 1, 1, kNone}));
  const auto is_call = [&](std::uint32_t row) {
    return timeline.events[row].category == Category::runtime;
  };
  EXPECT_EQ(innermost_that(tree, is_call), (std::vector<std::uint32_t>{kNone, kNone, 2, 3, 4}));
  EXPECT_EQ(outermost_that(tree, is_call), (std::vector<std::uint32_t>{kNone, kNone, 2, 2, 4}));
}

TEST(HostTree, AChildMayEndLessThanAMicrosecondLate) {
  WrittenTimeline written;
  written.op("parent", 0, 100);
  written.op("child", 50, 50.999);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.parent[1], 0U);
  EXPECT_EQ(tree.self_ns, (std::vector<std::int64_t>{50'000, 50'999}));
}

TEST(HostTree, ARowThatEndsAWholeMicrosecondLateIsNoChild) {
  WrittenTimeline written;
  written.op("first", 0, 100);
  written.op("second", 50, 51);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.parent[1], kNone);
  EXPECT_EQ(tree.self_ns[0], 100'000);
}

TEST(HostTree, ARowThatBeginsJustBeforeAnotherEndsFollowsIt) {
  WrittenTimeline written;
  written.op("first", 0, 100);
  written.op("next", 99.9, 0.5);
  EXPECT_EQ(nest_host_rows(written.timeline()).parent[1], kNone);
}

TEST(HostTree, ThreadsAreApartAndFramesAreNoRows) {
  WrittenTimeline written;
  written.op("main", 0, 100);
  written.op("other", 10, 20, "second");
  written.host(Category::python_function, "f", 5, 90);
  written.host(Category::overhead, "Buffer Flush", 20, 5);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.parent, std::vector<std::uint32_t>(4, kNone));
  EXPECT_EQ(tree.row, (std::vector<std::uint32_t>{0, kNone, 2, kNone}));
  EXPECT_EQ(tree.self_ns[0], 100'000);
}

TEST(HostTree, AnOnlyChildOfTheSameNameIsTheSameCall) {
  WrittenTimeline written;
  written.op("aten::to", 0, 100);
  written.op("aten::to", 10, 80);
  written.op("aten::to", 20, 60);
  written.op("aten::copy_", 30, 40);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.row, (std::vector<std::uint32_t>{0, 0, 0, 3}));
  EXPECT_EQ(tree.parent[3], 0U);
  EXPECT_EQ(tree.self_ns[0], 60'000);
}

TEST(HostTree, OneOfTwoChildrenOfTheSameNameIsACallOfItsOwn) {
  WrittenTimeline written;
  written.op("aten::add", 0, 100);
  written.op("aten::add", 10, 20);
  written.op("aten::mul", 40, 20);
  EXPECT_TRUE(nest_host_rows(written.timeline()).is_row(1));
}

TEST(HostTree, WhatTheProfilerCallsIsHidden) {
  WrittenTimeline written;
  written.op("forward", 0, 100);
  written.op("profiler::_record_function_exit", 90, 5);
  const HostTree tree = nest_host_rows(written.timeline());
  EXPECT_EQ(tree.row[1], kNone);
  EXPECT_EQ(tree.self_ns[0], 100'000);
}

TEST(HostTree, MemoryBelongsToTheInnermostRowOfItsThread) {
  WrittenTimeline written;
  written.op("outer", 0, 100);
  written.op("inner", 20, 20);
  for (const double time_us : {10.0, 20.0, 40.0, 41.0, 100.0, 101.0}) {
    written.memory(time_us, 1);
  }
  written.memory(30, 1, 0, "second");
  EXPECT_EQ(nest_host_rows(written.timeline()).memory_row,
            (std::vector<std::uint32_t>{0, 1, kNone, 1, 0, 0, kNone}));
}

// The rows of a thread, each within one that began before, or after all of them.
void nest_at_random(
    WrittenTimeline& written, std::mt19937& random, double begin_us, double end_us, int depth) {
  const auto part = [&random](double width) {
    return static_cast<double>(random() % 1000) / 1000 * width;
  };
  double at_us = begin_us;
  while (depth > 0 && end_us - at_us > 5) {
    const double start_us = at_us + part((end_us - at_us) / 3);
    const double stop_us = start_us + 1 + part((end_us - start_us) - 1);
    written.op("op" + std::to_string(random() % 4), start_us, stop_us - start_us);
    nest_at_random(written, random, start_us, stop_us, depth - 1);
    at_us = stop_us;
  }
}

TEST(HostTree, SelfTimesSumToWhatTheTopRowsCover) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    WrittenTimeline written;
    nest_at_random(written, random, 0, 1000, 6);
    const profile::Timeline& timeline = written.timeline();
    const HostTree tree = nest_host_rows(timeline);
    std::int64_t self_ns = 0;
    std::vector<profile::Interval> all;
    for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
      self_ns += tree.is_row(i) ? tree.self_ns[i] : 0;
      all.push_back({timeline.events[i].start_ns, timeline.events[i].end_ns()});
      EXPECT_GE(tree.is_row(i) ? tree.self_ns[i] : 0, 0) << seed;
    }
    EXPECT_EQ(self_ns, length_ns(profile::unite(std::move(all)))) << seed;
  }
}

TEST(IssuingRows, FollowTheCallAndThenTheExternalId) {
  WrittenTimeline written;
  written.op("aten::mm", 0, 50).external_id = 7;
  written.call("cudaLaunchKernel", 10, 5, 100);
  written.op("aten::add", 60, 10).external_id = 8;
  written.kernel("by call", 100, 10, 100);
  written.kernel("by external id", 110, 10, 999).external_id = 8;
  written.kernel("by neither", 120, 10, 998);
  auto& misleading = written.kernel("correlation as external id", 130, 10, 8);
  misleading.external_id = 8;
  const TableInput& input = written.input();
  EXPECT_EQ(input.issuing_row[3], 1U);
  EXPECT_EQ(issuing_operator(input, 3), 0U);
  EXPECT_EQ(issuing_operator(input, 4), 2U);
  EXPECT_EQ(issuing_operator(input, 5), kNone);
  EXPECT_EQ(issuing_operator(input, 6), kNone);
}

}  // namespace
}  // namespace tune::table
