#include "trace/runtime_calls.h"

#include "trace_text.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tune::profile {

namespace {

TEST(RuntimeCall, IsClassifiedByName) {
  const std::vector<std::pair<const char*, CallKind>> cases = {
      {"cudaLaunchKernel", CallKind::launch},
      {"cudaLaunchKernelExC", CallKind::launch},
      {"cudaLaunchCooperativeKernel", CallKind::launch},
      {"cuLaunchKernel", CallKind::launch},
      {"cuLaunchKernelEx", CallKind::launch},
      {"cudaGraphLaunch", CallKind::launch},
      {"hipLaunchKernel", CallKind::launch},
      {"hipExtModuleLaunchKernel", CallKind::launch},
      {"urEnqueueKernelLaunch", CallKind::launch},
      {"cudaDeviceSynchronize", CallKind::blocking},
      {"cudaStreamSynchronize", CallKind::blocking},
      {"hipEventSynchronize", CallKind::blocking},
      {"cudaMemcpy", CallKind::blocking},
      {"hipMemcpyWithStream", CallKind::blocking},
      {"cuMemcpyHtoD_v2", CallKind::blocking},
      {"cudaMemcpyAsync", CallKind::copy},
      {"cudaMemsetAsync", CallKind::copy},
      {"cuMemcpyAsync", CallKind::copy},
      {"cudaMalloc", CallKind::allocation},
      {"cudaMallocAsync", CallKind::allocation},
      {"cudaFree", CallKind::allocation},
      {"cudaFreeHost", CallKind::allocation},
      {"cudaHostAlloc", CallKind::allocation},
      {"cuMemCreate", CallKind::allocation},
      {"cuMemMap", CallKind::allocation},
      {"cudaMemGetInfo", CallKind::rest},
      {"cudaStreamIsCapturing", CallKind::rest},
      {"cudaEventRecord", CallKind::rest},
      {"cudaStreamWaitEvent", CallKind::rest},
      {"cudaLaunchHostFunc", CallKind::rest},
      {"hipGetDevicePropertiesR0600", CallKind::rest}};
  for (const auto& [name, kind] : cases) {
    EXPECT_EQ(call_kind_of(name), kind) << name;
  }
}

std::string copy_of(
    int id, const char* start_us, const char* call_us, const char* name, int bytes) {
  const std::string correlation = R"("correlation": )" + std::to_string(id);
  return row("cuda_runtime", "cudaMemcpyAsync", start_us, call_us, correlation) + "," +
         row("gpu_memcpy",
             name,
             start_us,
             "1",
             correlation + R"(, "bytes": )" + std::to_string(bytes));
}

TEST(RuntimeSplit, TellsWaitingFromLaunching) {
  const Timeline timeline =
      read_events(row("user_annotation", "ProfilerStep#1", "0", "1000") + "," +
                  row("cuda_runtime", "cudaLaunchKernel", "10", "5", R"("correlation": 1)") + "," +
                  row("cuda_runtime", "cudaStreamSynchronize", "20", "100", R"("correlation": 2)") +
                  "," + row("kernel", "gemm", "30", "40", R"("correlation": 1)") + "," +
                  copy_of(3, "200", "10", "Memcpy HtoD (Pinned -> Device)", 100) + "," +
                  copy_of(4, "300", "31", "Memcpy HtoD (Pinned -> Device)", 1'000'000) + "," +
                  copy_of(5, "400", "8", "Memcpy HtoD (Pageable -> Device)", 1'000'000));
  const Partition partition = partition_steps(timeline);
  const RuntimeSplit split =
      split_runtime(timeline, partition, CallKinds(timeline, find_launches(timeline)));
  EXPECT_EQ(split.blocking_copy_limit_ns, 30'000);  // 3 x 10 us
  EXPECT_EQ(split.calls, (RuntimeSplit::Times{1, 0, 1, 3, 0}));
  EXPECT_EQ(split.host_ns, (RuntimeSplit::Times{5'000, 0, 10'000, 139'000, 0}));
  EXPECT_EQ(split.exposed_ns, (RuntimeSplit::Times{5'000, 0, 9'000, 97'000, 0}));
  EXPECT_EQ(split.blocked_during_kernels_ns, 40'000);
  EXPECT_EQ(split.blocked_during_copies_ns, 2'000);
  EXPECT_EQ(split.blocked_for_nothing_ns, 97'000);
}

TEST(CallKinds, ThatMostCopiesWaitMakesNoneOfThemShort) {
  const Timeline timeline =
      read_events(copy_of(1, "0", "25000", "Memcpy DtoH (Device -> Pinned)", 4) + "," +
                  copy_of(2, "30000", "25000", "Memcpy DtoH (Device -> Pinned)", 4));
  const CallKinds kind_of(timeline, find_launches(timeline));
  EXPECT_EQ(kind_of.blocking_copy_limit_ns(), 100'000);
  EXPECT_EQ(kind_of(0), CallKind::blocking);
}

TEST(Launches, OfOneCorrelationTheNearestCallBeforeTheWorkCounts) {
  std::string events;
  for (const char* begin : {"0", "100", "200"}) {
    events += row("cuda_runtime", "cudaGraphLaunch", begin, "5", R"("correlation": 9)") + ",";
  }
  const Timeline timeline =
      read_events(events + row("kernel", "a", "99", "1", R"("correlation": 9)") + "," +
                  row("kernel", "b", "100", "1", R"("correlation": 9)") + "," +
                  row("kernel", "c", "300", "1", R"("correlation": 9)"));
  const Launches launches = find_launches(timeline);
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    if (timeline.events[i].category == Category::kernel) {
      const std::string_view name = timeline.name(timeline.events[i]);
      const std::int64_t start_ns = timeline.events[launches.call_of[i]].start_ns;
      EXPECT_EQ(start_ns, name == "a" ? 0 : name == "b" ? 100'000 : 200'000) << name;
    }
  }
}

TEST(Launches, JoinGraphsDriversAndWorkWithoutACall) {
  const Timeline timeline = read_events(
      row("cuda_runtime", "cudaGraphLaunch", "0", "5", R"("correlation": 9)") + "," +
      row("kernel", "a", "10", "1", R"("correlation": 9)") + "," +
      row("kernel", "b", "12", "1", R"("correlation": 9)") + "," +
      row("cuda_driver", "cuLaunchKernel", "20", "5", R"("correlation": 10)") + "," +
      row("kernel", "triton_poi_0", "19", "1", R"("correlation": 10)") + "," +  // before its call
      row("kernel", "orphan", "30", "1", R"("correlation": 77)") + "," +
      row("kernel", "hip", "40", "1", R"("correlation": 0)"));
  const Launches launches = find_launches(timeline);
  const auto call_of = [&](std::string_view kernel) -> std::string {
    for (std::size_t i = 0; i < timeline.events.size(); ++i) {
      if (timeline.name(timeline.events[i]) == kernel) {
        const std::uint32_t call = launches.call_of[i];
        return call == kNone ? "none" : std::string(timeline.name(timeline.events[call]));
      }
    }
    return "no such kernel";
  };
  EXPECT_EQ(call_of("a"), "cudaGraphLaunch");
  EXPECT_EQ(call_of("b"), "cudaGraphLaunch");
  EXPECT_EQ(call_of("triton_poi_0"), "cuLaunchKernel");
  EXPECT_EQ(call_of("orphan"), "none");
  EXPECT_EQ(call_of("hip"), "none");
}

}  // namespace

}  // namespace tune::profile
