#include "worker/cuda/record_decoder.h"

#include "hand_filled.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace tune::worker {
namespace {

std::string name_of_call(CallRow::Interface interface, std::uint32_t callback) {
  return (interface == CallRow::Interface::runtime ? "runtime " : "driver ") +
         std::to_string(callback);
}

template <class... Records>
DeviceTrace decode(const Records&... records) {
  RecordDecoder decoder(name_of_call);
  (decoder.add(as_record(records)), ...);
  return decoder.take(ClockMap());
}

TEST(RecordDecoder, AKernelHasItsPlaceItsShapeAndAReadableName) {
  KernelRecord record = a_kernel(1'000, 1'250);
  record.graphId = 3;
  record.graphNodeId = 12'884'901'889;
  const DeviceTrace trace = decode(record);
  ASSERT_EQ(trace.kernels.size(), 1U);
  const KernelRow& kernel = trace.kernels[0];
  EXPECT_EQ(trace.names.at(kernel.name), "add_one(float*)");
  EXPECT_EQ(kernel.start_ns, 1'000);
  EXPECT_EQ(kernel.end_ns, 1'250);
  EXPECT_EQ(kernel.device, 1U);
  EXPECT_EQ(kernel.context, 2U);
  EXPECT_EQ(kernel.stream, 7U);
  EXPECT_EQ(kernel.correlation, 640U);
  EXPECT_EQ(kernel.grid, (std::array<std::int32_t, 3>{8, 16, 1}));
  EXPECT_EQ(kernel.block, (std::array<std::int32_t, 3>{256, 1, 1}));
  EXPECT_EQ(kernel.registers, 96);
  EXPECT_EQ(kernel.static_shared, 1'024);
  EXPECT_EQ(kernel.dynamic_shared, 48'128);
  EXPECT_EQ(kernel.graph, 3U);
  EXPECT_EQ(kernel.graph_node, 12'884'901'889U);
  EXPECT_EQ(trace.counts.records, 1);
}

TEST(RecordDecoder, NamesAreKeptOnceAndThoseThatAreNotMangledAsTheyAre) {
  KernelRecord plain = a_kernel(1, 2);
  plain.name = "sm90_xmma_gemm_f32";
  KernelRecord unnamed = a_kernel(3, 4);
  unnamed.name = nullptr;
  const DeviceTrace trace = decode(a_kernel(5, 6), plain, a_kernel(7, 8), unnamed);
  EXPECT_EQ(trace.names,
            (std::vector<std::string>{"add_one(float*)", "sm90_xmma_gemm_f32", "unnamed kernel"}));
  ASSERT_EQ(trace.kernels.size(), 4U);
  EXPECT_EQ(trace.kernels[0].start_ns, 1) << "in the order of their start";
  EXPECT_EQ(trace.kernels[2].name, trace.kernels[3].name);
}

TEST(RecordDecoder, CopiesAndSetsHaveKinetosNames) {
  CopyRecord upload{};
  upload.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  upload.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  upload.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
  upload.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  upload.bytes = 4'096;
  upload.start = 10;
  upload.end = 30;
  upload.streamId = 7;
  upload.correlationId = 5;
  CUpti_ActivityMemcpyPtoP4 peer{};
  peer.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  peer.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  peer.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  peer.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  peer.start = 40;
  peer.end = 50;
  peer.srcDeviceId = 1;
  peer.dstDeviceId = 3;
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  set.bytes = 64;
  set.start = 60;
  set.end = 61;
  const DeviceTrace trace = decode(upload, peer, set);
  ASSERT_EQ(trace.copies.size(), 2U);
  EXPECT_EQ(copy_name(trace.copies[0]), "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(trace.copies[0].bytes, 4'096);
  EXPECT_EQ(trace.copies[0].correlation, 5U);
  EXPECT_FALSE(trace.copies[0].from_device.has_value());
  EXPECT_EQ(copy_name(trace.copies[1]), "Memcpy PtoP (Device -> Device)");
  EXPECT_EQ(trace.copies[1].from_device, 1U);
  EXPECT_EQ(trace.copies[1].to_device, 3U);
  ASSERT_EQ(trace.sets.size(), 1U);
  EXPECT_EQ(set_name(trace.sets[0]), "Memset (Device)");
  EXPECT_EQ(trace.sets[0].bytes, 64);
  CopyRow from_the_future;
  from_the_future.kind = 200;
  EXPECT_EQ(copy_name(from_the_future), "Memcpy Unrecognized (Unknown -> Unknown)");
}

TEST(RecordDecoder, CallsOfRuntimeAndDriverAreToldApart) {
  CUpti_ActivityAPI driver = a_launch(20, 26);
  driver.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  driver.returnValue = 2;
  const DeviceTrace trace = decode(a_launch(10, 16), driver);
  ASSERT_EQ(trace.calls.size(), 2U);
  const CallRow& runtime = trace.calls[0];
  EXPECT_EQ(runtime.interface, CallRow::Interface::runtime);
  EXPECT_EQ(trace.names.at(runtime.name), "runtime " + std::to_string(runtime.callback));
  EXPECT_EQ(runtime.process, 412U);
  EXPECT_EQ(runtime.thread, 413U);
  EXPECT_EQ(runtime.correlation, 640U);
  EXPECT_EQ(trace.calls[1].interface, CallRow::Interface::driver);
  EXPECT_EQ(trace.names.at(trace.calls[1].name), "driver " + std::to_string(runtime.callback));
  EXPECT_EQ(trace.calls[1].result, 2U);
}

TEST(RecordDecoder, AWaitNamesItsStreamAndEventOnlyWhereItHasThem) {
  SyncRecord whole{};
  whole.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  whole.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  whole.start = 10;
  whole.end = 20;
  whole.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  whole.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  SyncRecord event = whole;
  event.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  event.start = 30;
  event.end = 31;
  event.streamId = 7;
  event.cudaEventId = 4;
  event.cudaEventSyncId = 99;
  SyncRecord unknown = whole;
  unknown.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN;
  const DeviceTrace trace = decode(whole, event, unknown);
  ASSERT_EQ(trace.syncs.size(), 2U);
  EXPECT_STREQ(sync_name(trace.syncs[0].kind), "Context Sync");
  EXPECT_FALSE(trace.syncs[0].stream.has_value());
  EXPECT_FALSE(trace.syncs[0].event.has_value());
  EXPECT_STREQ(sync_name(trace.syncs[1].kind), "Stream Wait Event");
  EXPECT_EQ(trace.syncs[1].stream, 7U);
  EXPECT_EQ(trace.syncs[1].event, 4U);
  EXPECT_EQ(trace.syncs[1].event_sync, 99U);
  EXPECT_EQ(trace.counts.unknown_kinds, 1);
}

#if CUPTI_API_VERSION >= 130000
// What CUPTI of CUDA 12 writes, which the headers of 13 still describe: a kernel's fields lie at
// the same places, and only waits do not say which record of their event they wait for.
static_assert(offsetof(CUpti_ActivityKernel9, name) == offsetof(CUpti_ActivityKernel10, name));
static_assert(offsetof(CUpti_ActivityKernel9, end) == offsetof(CUpti_ActivityKernel10, end));
static_assert(offsetof(CUpti_ActivityKernel9, graphId) ==
              offsetof(CUpti_ActivityKernel10, graphId));
static_assert(offsetof(CUpti_ActivityMemcpy5, graphId) == offsetof(CUpti_ActivityMemcpy6, graphId));

TEST(RecordDecoder, WaitsOfCuda126DoNotNameTheRecordOfTheirEvent) {
  CUpti_ActivitySynchronization of_12_6{};
  of_12_6.cudaEventId = 4;
  EXPECT_EQ(event_sync_of(of_12_6), 0U);
  CUpti_ActivitySynchronization2 of_12_8{};
  of_12_8.cudaEventSyncId = 99;
  EXPECT_EQ(event_sync_of(of_12_8), 99U);
}
#endif

// An event is recorded repeatedly: the number of the record shows what a wait waits for.
TEST(RecordDecoder, AWaitForAnEventKnowsWhereAndByWhichCallItWasRecorded) {
  CudaEventRecord first{};
  first.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
  first.correlationId = 640;
  first.streamId = 7;
  first.eventId = 4;
  first.cudaEventSyncId = 98;
  CudaEventRecord second = first;
  second.correlationId = 641;
  second.streamId = 13;
  second.cudaEventSyncId = 99;
  SyncRecord wait{};
  wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
  wait.start = 30;
  wait.end = 31;
  wait.streamId = 20;
  wait.cudaEventId = 4;
  wait.cudaEventSyncId = 99;
  SyncRecord of_before = wait;
  of_before.start = 40;
  of_before.end = 41;
  of_before.cudaEventSyncId = 17;
  SyncRecord of_a_stream = wait;
  of_a_stream.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
  of_a_stream.start = 50;
  of_a_stream.end = 51;
  const DeviceTrace trace = decode(wait, of_before, of_a_stream, first, second);
  ASSERT_EQ(trace.syncs.size(), 3U);
  EXPECT_EQ(trace.syncs[0].record, (EventRecord{13, 641})) << "even if it was delivered later";
  EXPECT_EQ(trace.syncs[1].record, std::nullopt) << "it was recorded before the session";
  EXPECT_EQ(trace.syncs[2].record, std::nullopt) << "it waits for a stream";
  EXPECT_EQ(trace.counts.unknown_kinds, 0);
}

TEST(RecordDecoder, OverheadIsNamedAndWhatItOwnsIsFreed) {
  CUpti_ActivityOverhead3 overhead{};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  overhead.objectId.pt.threadId = 77;
  overhead.start = 5;
  overhead.end = 9;
  overhead.overheadData = std::malloc(16);  // the address sanitizer checks that it is freed
  CUpti_ActivityOverhead3 untimed{};
  untimed.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  const DeviceTrace trace = decode(overhead, untimed);
  ASSERT_EQ(trace.overheads.size(), 1U);
  EXPECT_EQ(trace.names.at(trace.overheads[0].name), "Buffer Flush");
  EXPECT_EQ(trace.overheads[0].thread, 77U);
  EXPECT_EQ(trace.counts.without_time, 0) << "overhead without a time is not lost work";
}

TEST(RecordDecoder, GraphsAndExternalIdsAreRowsOfTheirOwn) {
  CUpti_ActivityGraphTrace2 graph{};
  graph.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
  graph.correlationId = 11;
  graph.start = 100;
  graph.end = 900;
  graph.graphId = 6;
  graph.streamId = 13;
  CUpti_ActivityExternalCorrelation external{};
  external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
  external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  external.externalId = 1'234'567'890'123;
  external.correlationId = 11;
  const DeviceTrace trace = decode(graph, external);
  ASSERT_EQ(trace.graphs.size(), 1U);
  EXPECT_EQ(trace.graphs[0].graph, 6U);
  EXPECT_EQ(trace.graphs[0].stream, 13U);
  EXPECT_EQ(trace.graphs[0].end_ns, 900);
  ASSERT_EQ(trace.externals.size(), 1U);
  EXPECT_EQ(trace.externals[0].id, 1'234'567'890'123U);
  EXPECT_EQ(trace.externals[0].correlation, 11U);
}

TEST(RecordDecoder, WhatHasNoTimeOrRunsBackwardsIsCountedAndNoRow) {
  constexpr std::uint64_t kBeyond = std::uint64_t{1} << 63U;
  const DeviceTrace trace = decode(a_kernel(0, 10),
                                   a_kernel(10, 0),
                                   a_launch(0, 0),
                                   a_kernel(20, 19),
                                   a_kernel(5, kBeyond),
                                   a_kernel(30, 30));
  EXPECT_EQ(trace.kernels.size(), 1U) << "a duration of 0 is valid";
  EXPECT_TRUE(trace.calls.empty());
  EXPECT_EQ(trace.counts.without_time, 4);
  EXPECT_EQ(trace.counts.backwards, 1);
  EXPECT_EQ(trace.counts.records, 6);
}

TEST(RecordDecoder, KindsThatNobodyKnowsAreCountedAndThoseOfDevicesAreNot) {
  CUpti_Activity unknown{};
  unknown.kind = CUPTI_ACTIVITY_KIND_NVLINK;
  CUpti_Activity later{};
  later.kind = static_cast<CUpti_ActivityKind>(4'000);
  CUpti_Activity device{};
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  const DeviceTrace trace = decode(unknown, later, device);
  EXPECT_EQ(trace.counts.unknown_kinds, 2);
  EXPECT_EQ(trace.counts.records, 3);
}

TEST(RecordDecoder, TimesAreMovedToTheClockOfTheHost) {
  const ClockMap clock({1'000'000, 400}, {2'000'000, 1'000'400});
  RecordDecoder decoder(name_of_call);
  decoder.add(as_record(a_kernel(1'000'100, 1'000'150)));
  const DeviceTrace trace = decoder.take(clock);
  EXPECT_EQ(trace.kernels.at(0).start_ns, 500);
  EXPECT_EQ(trace.kernels.at(0).end_ns, 550);
  EXPECT_TRUE(decoder.take(clock).kernels.empty()) << "what was taken is gone";
}

}  // namespace
}  // namespace tune::worker
