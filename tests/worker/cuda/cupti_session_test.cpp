#include "worker/cuda/cupti_session.h"

#include "fake_cupti.h"
#include "hand_filled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace tune::worker {
namespace {

constexpr int kConcurrentKernel = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
constexpr int kRuntime = CUPTI_ACTIVITY_KIND_RUNTIME;
constexpr int kDriver = CUPTI_ACTIVITY_KIND_DRIVER;

std::string enabling(int kind) {
  return "enable " + std::to_string(kind);
}

struct Recording {
  FakeCupti cupti;
  int synced = 0;
  CuptiSession session{cupti.api(), [this] {
                         ++synced;
                         cupti.calls.emplace_back("sync");
                       }};
};

TEST(CuptiSession, CallsComeInTheOneOrderThatWorks) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  const FakeCupti& cupti = on.cupti;
  const std::vector<std::string> order = {"version",
                                          "subscribe tune",
                                          "thread ids 1",
                                          "set 5",
                                          "clock",
                                          "buffers",
                                          "dump",
                                          "enable",
                                          "runtime off"};
  for (std::size_t i = 1; i < order.size(); ++i) {
    EXPECT_GE(cupti.place_of(order[i - 1]), 0) << order[i - 1];
    EXPECT_LT(cupti.place_of(order[i - 1]), cupti.place_of(order[i])) << order[i];
  }
  EXPECT_LT(cupti.place_of(enabling(kRuntime)), cupti.place_of("runtime off"))
      << "enabling the kind would switch them on again";
  EXPECT_EQ(cupti.count_of("runtime off"), 9);
  EXPECT_GE(cupti.place_of(enabling(kDriver)), 0) << "single calls without the kind record nothing";
  EXPECT_LT(cupti.place_of(enabling(kDriver)), cupti.place_of("driver off"));
  EXPECT_EQ(cupti.count_of("clock"), 1);
  EXPECT_EQ(
      std::count(cupti.calls.begin(), cupti.calls.end(), enabling(CUPTI_ACTIVITY_KIND_KERNEL)), 0)
      << "it makes kernels wait for each other";
  EXPECT_EQ(cupti.place_of("flush"), -1);
}

TEST(CuptiSession, NothingIsCalledBeforeTheStart) {
  Recording on;
  EXPECT_TRUE(on.cupti.calls.empty());
}

TEST(CuptiSession, WhatIsNotWantedIsNotSwitchedOn) {
  Recording on;
  ASSERT_FALSE(on.session
                   .start({.graph_nodes = false,
                           .driver_calls = false,
                           .synchronization = false,
                           .overhead = false})
                   .has_value());
  EXPECT_EQ(on.cupti.count_of(enabling(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)), 1);
  EXPECT_EQ(on.cupti.count_of(enabling(kDriver)), 0);
  EXPECT_EQ(on.cupti.count_of("driver off"), 0);
  EXPECT_EQ(on.cupti.count_of(enabling(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)), 0);
  EXPECT_EQ(on.cupti.count_of(enabling(CUPTI_ACTIVITY_KIND_OVERHEAD)), 0);
  EXPECT_EQ(on.cupti.count_of(enabling(kConcurrentKernel)), 1);
}

TEST(CuptiSession, WhatLaunchesOrMapsMemoryStaysOn) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  for (const CUpti_driver_api_trace_cbid call : {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                 CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                 CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                                 CUPTI_DRIVER_TRACE_CBID_cuMemMap}) {
    const std::string off = "driver off " + std::to_string(call);
    EXPECT_EQ(std::count(on.cupti.calls.begin(), on.cupti.calls.end(), off), 0) << off;
  }
  EXPECT_EQ(
      on.cupti.count_of("driver off " + std::to_string(CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent)),
      1);
}

TEST(CuptiSession, AnotherToolThatHasCuptiIsNamed) {
  Recording on;
  on.cupti.answers["subscribe tune"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  on.cupti.other_subscriber = "Nsight Systems";
  const auto reason = on.session.start({});
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->kind, "busy");
  EXPECT_EQ(reason->text,
            "Nsight Systems already profiles this process, and CUPTI supports only one tool");
  EXPECT_EQ(on.cupti.count_of("buffers"), 0);
  EXPECT_EQ(on.cupti.count_of("unsubscribe"), 0) << "it is not ours";
}

TEST(CuptiSession, AToolWithoutANameIsAnotherTool) {
  Recording on;
  on.cupti.answers["subscribe tune"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const auto reason = on.session.start({});
  ASSERT_TRUE(reason.has_value());
  EXPECT_TRUE(reason->text.starts_with("another tool already profiles")) << reason->text;
}

TEST(CuptiSession, WithoutPermissionItSaysWhoCanGiveIt) {
  Recording on;
  on.cupti.answers[enabling(kConcurrentKernel)] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  const auto reason = on.session.start({});
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->kind, "no_permission");
  EXPECT_NE(reason->text.find("an administrator can allow it"), std::string::npos) << reason->text;
}

TEST(CuptiSession, WhatFailsHalfWayIsTakenBack) {
  Recording on;
  on.cupti.answers[enabling(kRuntime)] = CUPTI_ERROR_UNKNOWN;
  const auto reason = on.session.start({});
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->kind, "cupti_999");
  EXPECT_EQ(reason->text, "calls of the runtime: CUPTI says CUPTI_ERROR_OF_A_TEST (999)");
  EXPECT_EQ(on.cupti.count_of("disable"),
            on.cupti.count_of("dump") + on.cupti.count_of("enable") - 1);
  EXPECT_EQ(on.cupti.calls.back(), "unsubscribe");
}

TEST(CuptiSession, AVersionWithKnownFaultsOrOfAnotherCudaIsRefused) {
  for (const std::uint32_t version : {130'000U, 26U, 140'000U}) {
    Recording on;
    on.cupti.version = version;
    const auto reason = on.session.start({});
    ASSERT_TRUE(reason.has_value()) << version;
    EXPECT_EQ(reason->kind, "old_cupti");
    EXPECT_EQ(on.cupti.calls, std::vector<std::string>{"version"});
  }
}

// Whether a CUPTI that is loaded can be read with the headers of one.
TEST(CuptiVersion, ALaterOneOfTheSameCudaOnlyAppendsToItsRecords) {
  EXPECT_EQ(why_not_cupti(130'001, 130'001), "");
  EXPECT_EQ(why_not_cupti(130'200, 130'001), "");
  EXPECT_EQ(why_not_cupti(130'000, 130'000),
            "CUPTI 130000 is loaded, 130001 (CUDA 13.0 update 1) or a later 13 is needed");
  EXPECT_NE(why_not_cupti(28, 130'001), "");
  EXPECT_EQ(why_not_cupti(26, 26), "");
  EXPECT_EQ(why_not_cupti(28, 24), "");
  EXPECT_EQ(why_not_cupti(24, 26),
            "CUPTI 24 is loaded, 26 (the one it was built with) or a later one of CUDA 12 is "
            "needed");
  EXPECT_NE(why_not_cupti(130'001, 26), "");
}

TEST(CuptiSession, WhatIsOptionalBecomesANote) {
  Recording on;
  on.cupti.answers[enabling(CUPTI_ACTIVITY_KIND_OVERHEAD)] = CUPTI_ERROR_NOT_SUPPORTED;
  ASSERT_FALSE(on.session.start({}).has_value());
  const DeviceTraceResult result = on.session.finish({1'000, 2'000});
  EXPECT_EQ(result.notes,
            std::vector<std::string>{"without overhead: CUPTI says CUPTI_ERROR_OF_A_TEST (27)"});
  EXPECT_EQ(on.cupti.count_of("disable 17"), 0);
}

TEST(CuptiSession, AProcessHasOneSession) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  const auto again = on.session.start({});
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->kind, "used");
  CuptiSession second(on.cupti.api(), [] {});
  const auto beside = second.start({});
  ASSERT_TRUE(beside.has_value());
  EXPECT_EQ(beside->kind, "used");
  EXPECT_EQ(on.cupti.count_of("clock"), 1);
}

TEST(CuptiSession, TheEndIsSyncFlushCountDetachInThisOrder) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.calls.clear();
  on.session.finish({1'000, 2'000});
  const FakeCupti& cupti = on.cupti;
  EXPECT_EQ(cupti.place_of("sync"), 0);
  EXPECT_EQ(cupti.place_of("flush 1"), 1);
  EXPECT_EQ(cupti.place_of("count dropped"), 2);
  EXPECT_EQ(cupti.place_of("disable"), 3);
  EXPECT_EQ(cupti.calls.back(), "unsubscribe");
}

TEST(CuptiSession, WhatWasSwitchedOnIsSwitchedOff) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.session.finish({1'000, 2'000});
  EXPECT_EQ(on.cupti.count_of("disable"), on.cupti.count_of("dump") + on.cupti.count_of("enable"));
}

TEST(CuptiSession, EventsAreRecordedWhereWaitsAre) {
  const std::string events = enabling(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  for (const bool waits : {true, false}) {
    Recording on;
    ASSERT_FALSE(on.session.start({.synchronization = waits}).has_value());
    EXPECT_EQ(on.cupti.count_of(events), waits ? 1 : 0);
  }
}

TEST(CuptiSession, ADeviceThatFailsLeavesNothingAttached) {
  FakeCupti cupti;
  CuptiSession session(cupti.api(), [] { throw std::runtime_error("cudaDeviceSynchronize"); });
  ASSERT_FALSE(session.start({}).has_value());
  EXPECT_THROW(session.finish({1'000, 2'000}), std::runtime_error);
  EXPECT_EQ(cupti.calls.back(), "unsubscribe");
}

// Two windows with unwanted steps between them.
TEST(CuptiSession, WhatWasDecodedOutlivesWhatIsDiscarded) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.session.discard();
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  on.cupti.dropped = 2;
  on.session.decode();
  on.cupti.dropped = 5;
  on.session.discard();
  on.cupti.will_write(a_launch(2'100, 2'150, 700));
  const DeviceTraceResult result = on.session.finish({1'000, 3'000});
  EXPECT_EQ(result.trace.kernels.size(), 1U);
  EXPECT_EQ(result.trace.calls.size(), 2U);
  EXPECT_EQ(result.trace.counts.dropped, 2) << "of the windows";
  EXPECT_EQ(on.synced, 4);
}

TEST(CuptiSession, WhatWasRecordedComesOutNamedAndChecked) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.session.discard();
  EXPECT_EQ(on.synced, 1);
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  on.cupti.will_write(a_kernel(90, 95));  // before the window
  CUpti_ActivityAPI driver = a_launch(1'300, 1'310, 641);
  driver.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  on.cupti.will_write(driver);
  CUpti_ActivityAPI unnamed = a_launch(1'320, 1'330, 642);
  unnamed.cbid = 200'000;
  on.cupti.will_write(unnamed);
  const DeviceTraceResult result = on.session.finish({1'000, 2'000});
  EXPECT_EQ(result.clock, "monotonic");
  EXPECT_EQ(result.check.problems, std::vector<std::string>{});
  ASSERT_EQ(result.trace.kernels.size(), 1U);
  EXPECT_EQ(result.trace.kernels[0].start_ns, 1'200);
  ASSERT_EQ(result.trace.calls.size(), 3U);
  EXPECT_EQ(result.trace.names.at(result.trace.calls[0].name), "cudaLaunchKernel");
  EXPECT_EQ(result.trace.names.at(result.trace.calls[1].name), "cuMemcpyHtoD_v2")
      << "of the driver's names the number is a part";
  EXPECT_EQ(result.trace.names.at(result.trace.calls[2].name), "runtime call 200000");
  EXPECT_EQ(result.check.kernels_in_steps, std::vector<std::int64_t>{1});
  EXPECT_EQ(result.flushed_buffers, 5) << "one record each";
  EXPECT_EQ(result.flushed_bytes,
            static_cast<std::int64_t>(2 * sizeof(KernelRecord) + 3 * sizeof(CUpti_ActivityAPI)));
  EXPECT_GE(result.flush_ns, 0);
}

TEST(CuptiSession, TheClockOfCuptiCanBeAskedFor) {
  Recording on;
  ASSERT_FALSE(on.session.start({.own_clock = false}).has_value());
  EXPECT_EQ(on.cupti.count_of("clock"), 0);
  const DeviceTraceResult result = on.session.finish({1'000, 2'000});
  EXPECT_EQ(result.clock, "realtime");
  EXPECT_TRUE(result.notes.empty()) << "nothing is missing";
}

TEST(CuptiSession, WhatIsMissingMakesTheTraceInvalidByName) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.dropped = 12;
  on.cupti.end_of_buffer = CUPTI_ERROR_INVALID_KIND;
  on.cupti.answers["flush 1"] = CUPTI_ERROR_UNKNOWN;
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  const auto problems = on.session.finish({1'000, 2'000}).check.problems;
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0], "12 records were dropped (CUPTI had no buffer)");
  EXPECT_EQ(problems[1], "2 buffers of records cannot be read to the end");
  EXPECT_EQ(problems[2], "CUPTI could not deliver all records: error 999");
}

TEST(CuptiSession, AnEarlierWindowThatCouldNotGiveAllIsNotForgotten) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.answers["flush 1"] = CUPTI_ERROR_UNKNOWN;
  on.session.decode();
  on.cupti.answers.clear();
  on.session.discard();
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  EXPECT_EQ(on.session.finish({1'000, 2'000}).check.problems,
            std::vector<std::string>{"CUPTI could not deliver all records: error 999"});
}

TEST(CuptiSession, ACountThatCannotBeReadIsNotZero) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.answers["count dropped"] = CUPTI_ERROR_UNKNOWN;
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  EXPECT_EQ(on.session.finish({1'000, 2'000}).check.problems,
            std::vector<std::string>{"CUPTI does not say how many records it dropped"});
}

TEST(CuptiSession, DropsOfTheWarmUpAreNotThoseOfTheWindow) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.dropped = 5;
  on.session.discard();
  EXPECT_EQ(on.session.finish({1'000, 2'000}).trace.counts.dropped, 0);
}

TEST(CuptiSession, ACountThatCouldNotBeReadOfAnyWindowIsNotZero) {
  Recording on;
  ASSERT_FALSE(on.session.start({}).has_value());
  on.cupti.answers["count dropped"] = CUPTI_ERROR_UNKNOWN;
  on.session.decode();
  on.cupti.answers.clear();
  on.cupti.will_write(a_launch(1'100, 1'150));
  on.cupti.will_write(a_kernel(1'200, 1'500));
  EXPECT_EQ(on.session.finish({1'000, 2'000}).check.problems,
            std::vector<std::string>{"CUPTI does not say how many records it dropped"});
}

TEST(CuptiSession, WithoutItsOwnClockTimesComeFromTheTimeOfDay) {
  Recording on;
  on.cupti.answers["clock"] = CUPTI_ERROR_UNKNOWN;
  ASSERT_FALSE(on.session.start({}).has_value());
  const ClockMap::Pair now = read_clock_pair();
  const auto start = static_cast<std::uint64_t>(now.record_ns);
  on.cupti.will_write(a_launch(start, start + 100));
  on.cupti.will_write(a_kernel(start + 1'000, start + 2'000));
  const DeviceTraceResult result =
      on.session.finish({now.monotonic_ns - 1'000'000'000, now.monotonic_ns + 1'000'000'000});
  EXPECT_EQ(result.clock, "realtime");
  ASSERT_EQ(result.trace.kernels.size(), 1U) << "on the clock of the window it is in the window";
  EXPECT_NEAR(static_cast<double>(result.trace.kernels[0].start_ns - now.monotonic_ns), 1e3, 1e6);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_TRUE(result.notes[0].starts_with("without our own clock")) << result.notes[0];
}

}  // namespace
}  // namespace tune::worker
