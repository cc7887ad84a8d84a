#include "trace/critical_path.h"

#include "path_trace.h"

#include <gtest/gtest.h>

#include <random>

namespace tune::profile {
namespace {

// Two kernels behind one another, then the host waits for the device:
//   aten::mm 0-30 [launch 5-10, launch 12-16], aten::relu 35-38, cudaDeviceSynchronize 40-100
//   gemm 15-50, relu 53-95
PathTrace waits_for_two() {
  PathTrace trace;
  trace.op("aten::mm", 0, 30).call("cudaLaunchKernel", 5, 5, 1).call("cudaLaunchKernel", 12, 4, 2);
  trace.op("aten::relu", 35, 3).call("cudaDeviceSynchronize", 40, 60, 3);
  trace.kernel("gemm", 15, 35, 1).kernel("relu", 53, 42, 2);
  trace.device("cuda_sync", "Context Sync", 41, 59, 3, -1);
  return trace;
}

TEST(CriticalPath, LeadsThroughWhatABlockingCallWaitsFor) {
  PathTrace trace = waits_for_two();
  const CriticalPath path = trace.path();
  ASSERT_EQ(path.reason, "");
  EXPECT_EQ(path.length_ns, 100'000);  // all of it is explained
  EXPECT_EQ(ns_of(path, PathPart::cpu), 5'000);
  EXPECT_EQ(ns_of(path, PathPart::launch), 10'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel), 77'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel_delay), 3'000);
  EXPECT_EQ(ns_of(path, PathPart::sync), 5'000);
  EXPECT_EQ(path.nodes(), 7U);
  EXPECT_EQ(path.inferred_waits, 0);
}

TEST(CriticalPath, WeighsAsHolisticTraceAnalysisDoesWhenIdleTimeIsIgnored) {
  PathTrace trace = waits_for_two();
  const CriticalPath path = trace.path(IdleTime::ignored);
  EXPECT_EQ(path.length_ns, 95'000);  // ends with the kernel: a wait weighs nothing
  EXPECT_EQ(edges_of(path, PathPart::launch), 1);
  EXPECT_EQ(edges_of(path, PathPart::kernel_delay), 1);
  EXPECT_EQ(edges_of(path, PathPart::sync), 0);
  EXPECT_EQ(path.nodes(), 6U);
  // 5 rows of the host have 2 nodes each, 2 kernels too.
  EXPECT_EQ(path.graph.node_ns.size(), 14U);
}

TEST(CriticalPath, StaysOnTheHostWhereNobodyWaitsForTheDevice) {
  PathTrace trace;
  trace.op("aten::a", 0, 20).call("cudaLaunchKernel", 5, 5, 1).op("aten::b", 60, 40);
  trace.call("cudaDeviceSynchronize", 110, 8, 2);
  trace.kernel("k", 15, 10, 1);
  trace.device("cuda_sync", "Context Sync", 110, 8, 2, -1);
  const CriticalPath path = trace.path();
  EXPECT_EQ(path.length_ns, 118'000);
  EXPECT_EQ(ns_of(path, PathPart::cpu), 60'000);
  EXPECT_EQ(ns_of(path, PathPart::host_gap), 50'000);
  EXPECT_EQ(ns_of(path, PathPart::sync), 8'000);  // a call that waited for nothing
  EXPECT_EQ(ns_of(path, PathPart::kernel), 0);
}

TEST(CriticalPath, GivesTheTimeOfARowToTheInnermost) {
  PathTrace trace;
  trace.op("aten::linear", 0, 100).op("aten::addmm", 10, 60);
  trace.call("cudaLaunchKernel", 90, 5, 1).kernel("k", 96, 1, 1);
  const CriticalPath path = trace.path();
  std::int64_t outer_ns = 0;
  for (const std::uint32_t index : path.edges) {
    const PathEdge& edge = path.graph.edges[index];
    const Event& event = trace.timeline().events[edge.event];
    outer_ns += trace.timeline().name(event) == "aten::linear" ? edge.weight_ns : 0;
  }
  EXPECT_EQ(outer_ns, 35'000);  // 0-10, 70-90, 95-100
  EXPECT_EQ(path.length_ns, 100'000);
}

TEST(CriticalPath, TellsALaunchFromAQueue) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).call("cudaLaunchKernel", 10, 5, 2);
  trace.call("cudaLaunchKernel", 200, 5, 3).call("cudaStreamSynchronize", 210, 100, 4);
  trace.kernel("a", 8, 50, 1).kernel("b", 60, 20, 2).kernel("c", 210, 95, 3);
  trace.device("cuda_sync", "Stream Sync", 210, 100, 4, 7);
  const CriticalPath path = trace.path();
  EXPECT_EQ(ns_of(path, PathPart::launch), 10'000);  // of c alone: its stream was idle
  EXPECT_EQ(ns_of(path, PathPart::kernel), 95'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel_delay), 0);
  EXPECT_EQ(ns_of(path, PathPart::sync), 5'000);
}

TEST(CriticalPath, DoesNotBelieveDelaysThatAreTooLong) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).call("cudaLaunchKernel", 10, 5, 2);
  trace.kernel("a", 8, 50, 1).kernel("b", 58 + 1500, 20, 2);
  EXPECT_EQ(ns_of(trace.path(), PathPart::kernel_delay), 0);
  PathTrace shorter;
  shorter.call("cudaLaunchKernel", 0, 5, 1).call("cudaLaunchKernel", 10, 5, 2);
  shorter.kernel("a", 8, 50, 1).kernel("b", 58 + 1499, 20, 2);
  EXPECT_EQ(ns_of(shorter.path(), PathPart::kernel_delay), 1'499'000);
}

TEST(CriticalPath, FollowsEventsFromStreamToStream) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).call("cudaEventRecord", 6, 1, 2);
  trace.call("cudaStreamWaitEvent", 8, 1, 3).call("cudaLaunchKernel", 10, 5, 4);
  trace.call("cudaStreamSynchronize", 20, 130, 5);
  trace.kernel("compute", 10, 80, 1).kernel("copy_out", 94, 50, 4, 20);
  trace.device("cuda_sync",
               "Stream Wait Event",
               8,
               1,
               3,
               20,
               R"(, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2)");
  trace.device("cuda_sync", "Stream Sync", 20, 130, 5, 20);
  const CriticalPath path = trace.path();
  EXPECT_EQ(path.length_ns, 150'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel), 130'000);
  EXPECT_EQ(ns_of(path, PathPart::sync), 4'000 + 6'000);
  EXPECT_EQ(ns_of(path, PathPart::launch), 10'000);
}

TEST(CriticalPath, WaitsForTheWorkBeforeARecordAndForNoneAfterIt) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).call("cudaEventRecord", 6, 1, 2);
  trace.call("cudaLaunchKernel", 10, 5, 3).call("cudaEventSynchronize", 20, 72, 4);
  trace.kernel("first", 10, 80, 1).kernel("second", 92, 500, 3);
  trace.op("aten::after", 95, 600);
  trace.device("cuda_sync",
               "Event Sync",
               20,
               72,
               4,
               -1,
               R"(, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2)");
  const CriticalPath path = trace.path();
  EXPECT_EQ(path.length_ns, 695'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel), 80'000);
  EXPECT_EQ(ns_of(path, PathPart::sync), 2'000);
}

TEST(CriticalPath, InfersWaitsWhereNoRowSays) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).call("cudaStreamSynchronize", 20, 80, 2);
  trace.call("cudaMemcpy", 110, 90, 3);
  trace.kernel("k", 10, 85, 1);
  trace.device("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 120, 75, 3, 7);
  const CriticalPath path = trace.path();
  EXPECT_EQ(path.inferred_waits, 1);  // a copy waits for itself
  EXPECT_EQ(path.length_ns, 200'000);
  EXPECT_EQ(ns_of(path, PathPart::kernel), 85'000);
  EXPECT_EQ(ns_of(path, PathPart::copy), 75'000);
}

TEST(CriticalPath, CrossesToTheThreadOfAutogradAndBack) {
  PathTrace trace;
  trace.host("user_annotation", "ProfilerStep#1", 0, 300);
  trace.op("aten::mm", 0, 50).op("aten::add_", 210, 90);
  trace.op("autograd::engine::evaluate_function: MmBackward0", 60, 100, 9);
  trace.op("autograd::engine::evaluate_function: AddBackward0", 165, 35, 9);
  trace.call("cudaLaunchKernel", 80, 5, 1, 9).kernel("k", 90, 10, 1);
  const CriticalPath path = trace.path();
  EXPECT_EQ(path.length_ns, 300'000);
  EXPECT_EQ(ns_of(path, PathPart::cpu), 275'000);
  EXPECT_EQ(ns_of(path, PathPart::host_gap), 25'000);  // 50-60, 160-165, 200-210
}

TEST(CriticalPath, KnowsTheThreadOfAutogradInTracesOf2021) {
  PathTrace trace;
  trace.host("user_annotation", "ProfilerStep#1", 0, 300);
  trace.op("aten::mm", 0, 50).op("aten::add_", 210, 90);
  trace.op("MmBackward", 60, 100, 9).op("torch::autograd::AccumulateGrad", 165, 35, 9);
  trace.call("cudaLaunchKernel", 80, 5, 1, 9).kernel("k", 90, 10, 1);
  const CriticalPath path = trace.path();
  EXPECT_EQ(ns_of(path, PathPart::cpu), 275'000);
  EXPECT_EQ(ns_of(path, PathPart::host_gap), 25'000);
}

TEST(CriticalPath, LeavesOutThreadsThatNothingWaitsFor) {
  PathTrace trace;
  trace.host("user_annotation", "ProfilerStep#1", 0, 100);
  trace.op("aten::mm", 0, 50).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 20, 10, 1);
  trace.op("decode", 0, 5000, 77);
  EXPECT_EQ(trace.path().length_ns, 50'000);
}

TEST(CriticalPath, KnowsTheLoaderAndWhatLiesInIt) {
  PathTrace trace;
  trace.host("user_annotation", "ProfilerStep#1", 0, 100);
  trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", 0, 40).op("aten::stack", 5, 9);
  trace.op("aten::mm", 40, 50).call("cudaLaunchKernel", 50, 5, 1).kernel("k", 60, 10, 1);
  const CriticalPath path = trace.path();
  EXPECT_EQ(ns_of(path, PathPart::data_loading), 40'000);
  EXPECT_EQ(ns_of(path, PathPart::cpu), 50'000);
}

TEST(CriticalPath, LeavesOutWhatWasCalledOutsideOfTheWindow) {
  PathTrace trace;
  trace.call("cudaLaunchKernel", 0, 5, 1).kernel("before", 8, 500, 1);
  trace.call("cudaLaunchKernel", 100, 5, 2).kernel("within", 520, 10, 2);
  trace.path();
  const Timeline& timeline = trace.timeline();
  const CriticalPath path =
      find_critical_path(timeline, find_launches(timeline), {50'000, 200'000});
  EXPECT_EQ(path.graph.rows.size(), 2U);
  EXPECT_EQ(ns_of(path, PathPart::kernel), 10'000);
  EXPECT_EQ(ns_of(path, PathPart::launch), 420'000);
}

TEST(CriticalPath, SaysWhyThereIsNone) {
  PathTrace trace;
  trace.op("aten::mm", 0, 30).kernel("k", 10, 10, 5);  // without its call
  const CriticalPath path = trace.path();
  EXPECT_FALSE(path.is_applicable());
  EXPECT_EQ(path.reason, "no work of a device can be joined to the call that issued it");
  Timeline timeline =
      read_events(row("cuda_runtime", "cudaLaunchKernel", "0", "5", R"("correlation": 1)") + "," +
                  row("kernel", "k", "10", "10", R"("correlation": 1)"));
  timeline.events.back().start_ns = 1'000'000'000'000'001;
  const CriticalPath none = find_critical_path(timeline, find_launches(timeline), {0, 1'000'000});
  EXPECT_EQ(none.reason, "its rows lie more than 11 days apart");
  EXPECT_EQ(none.graph.edges.size(), 0U);
}

TEST(CriticalPath, HoldsNoMoreRowsThanItMay) {
  PathTrace trace = waits_for_two();
  trace.path();
  const Launches launches = find_launches(trace.timeline());
  const Interval window = {0, 1'000'000};
  const auto path_of = [&](std::size_t most) {
    return find_critical_path(trace.timeline(), launches, window, IdleTime::counted, most);
  };
  EXPECT_TRUE(path_of(7).is_applicable());
  EXPECT_EQ(path_of(6).reason,
            "its steps have more than 6 rows: record fewer, or read less of it (--memory)");
}

TEST(SortEdges, SeesACircle) {
  DependencyGraph graph{.rows = {0}, .node_ns = {5, 5}, .edges = {}};
  graph.connect(0, 1, {}, true);
  EXPECT_TRUE(sort_edges(graph));
  graph.connect(1, 0, {}, true);
  EXPECT_FALSE(sort_edges(graph));
}

TEST(DependencyGraph, NeverLeadsBackInTime) {
  DependencyGraph graph{.rows = {0}, .node_ns = {5, 9}, .edges = {}};
  EXPECT_EQ(graph.connect(1, 0, {}, true), kNone);
  EXPECT_EQ(graph.connect(0, 1, {}, true), 0U);
  EXPECT_EQ(graph.edges[0].weight_ns, 4);
  EXPECT_EQ(graph.edges.size(), 1U);
}

TEST(PathIf, FindsAnotherPathWhenOnePartBecomesShorter) {
  PathTrace trace = waits_for_two();
  const CriticalPath path = trace.path();
  const auto length_if = [&](const std::vector<WhatIf>& changes) {
    return path_if(trace.timeline(), path, changes).length_ns;
  };
  EXPECT_EQ(length_if({}), 100'000);
  EXPECT_EQ(length_if({{PathPart::kernel, "gemm", 0.5}}), 82'500);
  EXPECT_EQ(length_if({{PathPart::kernel, "nothing", 0}}), 100'000);
  EXPECT_EQ(length_if({{PathPart::launch, "", 0}}), 90'000);
  EXPECT_EQ(length_if({{PathPart::kernel, "", 2}}), 177'000);
  // Without kernels the host is the longest: 0-30, 30-35, 35-38, 38-40; the wait is over at once.
  EXPECT_EQ(length_if({{PathPart::kernel, "", 0}, {PathPart::launch, "", 0}}), 40'000);
  // Both count where both fit.
  EXPECT_EQ(length_if({{PathPart::kernel, "gemm", 0.5}, {PathPart::kernel, "", 0.5}}),
            100'000 - 35'000 * 3 / 4 - 21'000);
  const WhatIfPath changed = path_if(trace.timeline(), path, {{PathPart::kernel, "relu", 0}});
  EXPECT_EQ(changed.changed_edges, 1);
  EXPECT_EQ(changed.changed_ns, 42'000);
}

TEST(LongestPath, LeavesOutEdgesThatAreNotThere) {
  // 0 -> 1 -> 3 and 0 -> 2 -> 3; the edges stand in their order.
  DependencyGraph graph{.rows = {0, 1}, .node_ns = {0, 5, 9, 20}, .edges = {}};
  for (const auto& [from, to] : {std::pair{0U, 1U}, {0U, 2U}, {1U, 3U}, {2U, 3U}}) {
    graph.connect(from, to, {}, true);
  }
  EXPECT_EQ(longest_path_ns(graph, std::vector<std::int64_t>{5, 9, 15, 11}), 20);
  EXPECT_EQ(longest_path_ns(graph, std::vector<std::int64_t>{5, 9, 3, 4}), 13);
  // What leads out of a node that nothing leads to any more begins there.
  EXPECT_EQ(longest_path_ns(graph, std::vector<std::int64_t>{kNoEdge, 2, 15, 11}), 15);
  EXPECT_EQ(longest_path_ns(graph, std::vector<std::int64_t>(4, kNoEdge)), 0);
}

TEST(TimeIf, KeepsWhatThePathDoesNotExplain) {
  CriticalPath path;
  path.length_ns = 80;
  path.window = {0, 100};
  EXPECT_DOUBLE_EQ(time_if(50, path, 40), 30);
  path.length_ns = 200;  // the device works on after the window
  EXPECT_DOUBLE_EQ(time_if(50, path, 100), 25);
}

// Whatever the times: parts sum to the length, no path is longer than the time that it spans, and
// making something shorter makes no path longer.
TEST(CriticalPath, IsNeverLongerThanTheTimeItSpans) {
  std::int64_t applicable = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](int limit) {
      return std::uniform_int_distribution<int>(0, limit - 1)(random);
    };
    PathTrace trace;
    const char* const calls[] = {"cudaLaunchKernel",
                                 "cudaMemcpyAsync",
                                 "cudaDeviceSynchronize",
                                 "cudaStreamSynchronize",
                                 "cudaEventRecord",
                                 "cudaStreamWaitEvent"};
    const char* const syncs[] = {"Context Sync", "Stream Sync", "Event Sync", "Stream Wait Event"};
    for (int row = 0; row < 30; ++row) {
      const int ts = below(500), dur = below(100), id = 1 + below(12), thread = 412 + below(2);
      switch (below(5)) {
        case 0:
          trace.op(below(3) > 0 ? "aten::mm" : "autograd::engine::evaluate_function: X",
                   ts,
                   dur,
                   thread);
          break;
        case 1:
        case 2:
          trace.call(calls[below(6)], ts, dur, id, thread);
          break;
        case 3:
          trace.kernel("k", ts, dur, id, 7 + below(2));
          break;
        default:
          trace.device("cuda_sync",
                       syncs[below(4)],
                       ts,
                       dur,
                       id,
                       7 + below(2),
                       R"(, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": )" +
                           std::to_string(1 + below(12)));
      }
    }
    const CriticalPath path = trace.path();
    if (!path.is_applicable()) {
      continue;
    }
    ++applicable;
    std::int64_t sum_ns = 0;
    for (const std::int64_t ns : path.part_ns()) {
      sum_ns += ns;
    }
    EXPECT_EQ(sum_ns, path.length_ns) << seed;
    for (std::size_t i = 1; i < path.edges.size(); ++i) {
      EXPECT_EQ(path.graph.edges[path.edges[i - 1]].to, path.graph.edges[path.edges[i]].from);
    }
    if (!path.edges.empty()) {
      const std::int64_t begin_ns = path.graph.node_ns[path.graph.edges[path.edges.front()].from];
      const std::int64_t end_ns = path.graph.node_ns[path.graph.edges[path.edges.back()].to];
      EXPECT_LE(path.length_ns, end_ns - begin_ns) << seed;
    }
    EXPECT_LE(path_if(trace.timeline(), path, {{PathPart::kernel, "", 0.5}}).length_ns,
              path.length_ns);
  }
  EXPECT_GT(applicable, 100);
}

}  // namespace
}  // namespace tune::profile
