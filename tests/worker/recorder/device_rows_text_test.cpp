#include "worker/recorder/device_rows_text.h"

#include "sample_recording.h"
#include "trace/launches.h"
#include "trace/reader/read_trace.h"
#include "worker/recorder/trace_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using profile::Category;

constexpr std::int64_t kOrigin = 5'000'000'000'001;

CudaFacts h100() {
  CudaFacts gpu;
  gpu.name = "NVIDIA \"H100\"";
  gpu.compute_major = 9;
  gpu.memory_bytes = std::int64_t{80} << 30;
  gpu.multiprocessors = 132;
  gpu.warp_size = 32;
  gpu.threads_per_block = 1'024;
  gpu.threads_per_multiprocessor = 2'048;
  gpu.registers_per_multiprocessor = 65'536;
  gpu.shared_per_multiprocessor = 233'472;
  gpu.cupti_version = 130'001;
  return gpu;
}

// A host that records one step, and the device that it launches to.
class Written {
 public:
  Written() {
    trace.names = {"cudaLaunchKernel", "void add<float>(float*, \"x\")", "Buffer Flush"};
    rows.modules.emplace_back();
    add_row("ProfilerStep#3", 0, 1'000'000, EventKind::annotation);
    add_row("aten::mm", 1'000, 500'000, EventKind::op);
  }

  void add_row(const std::string& name, std::int64_t start_ns, std::int64_t ns, EventKind kind) {
    TraceRow row;
    row.name = sample.name(name);
    row.start_ns = kOrigin + start_ns;
    row.end_ns = row.start_ns + ns;
    row.kind = kind;
    rows.rows.push_back(row);
  }

  std::uint32_t call(std::int64_t start_ns, std::int64_t ns) {
    CallRow row;
    row.start_ns = kOrigin + start_ns;
    row.end_ns = row.start_ns + ns;
    row.thread = static_cast<std::uint32_t>(getpid());
    row.callback = 211;
    row.correlation = ++correlation;
    trace.calls.push_back(row);
    return correlation;
  }

  template <class Row>
  Row work(std::int64_t start_ns, std::int64_t ns) const {
    Row row;
    row.start_ns = kOrigin + start_ns;
    row.end_ns = row.start_ns + ns;
    row.context = 1;
    row.stream = 7;
    row.correlation = correlation;
    return row;
  }

  profile::Timeline read() { return profile::read_trace(write()); }

  // All rows as written.
  json rows_of_device() {
    std::string text = "[{}";
    append_device_rows(text, join(), {getpid(), kOrigin}, [] {});
    return json::parse(text + "]");
  }

  SampleRecording sample;
  TraceRows rows;
  DeviceTrace trace;
  std::uint32_t correlation = 0;

 private:
  DeviceSide join() {
    return join_device(trace, h100(), sample.recording, rows, {{kOrigin, kOrigin + 2'000'000}});
  }

  fs::path write() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path path =
        fs::path(testing::TempDir()) / (std::string("tune-device-") + test->name() + ".json.gz");
    const DeviceSide side = join();
    TraceFacts facts;
    facts.process = getpid();
    facts.origin_ns = kOrigin;
    facts.origin_unix_ns = 1'790'000'000'123'456'789;
    facts.end_ns = kOrigin + 2'000'000;
    facts.device = &side;
    const TraceFileSize size = write_trace_file(path, sample.recording, rows, facts);
    EXPECT_LE(size.json_bytes,
              sample.recording.json_bytes_at_most() + side.json_bytes_at_most() +
                  512 * static_cast<std::int64_t>(rows.rows.size()));
    return path;
  }
};

const json& row_of(const json& rows, const std::string& category) {
  for (const json& row : rows) {
    if (row.value("cat", "") == category && row.value("ph", "") == "X") {
      return row;
    }
  }
  throw std::runtime_error("no row of category " + category);
}

TEST(DeviceRowsText, OurReaderReproducesEveryNanosecondAndEveryLaunch) {
  Written written;
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> kernels;  // start, duration
  std::int64_t now_ns = 2'000;
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t ns = 1 + (i * i * 7919) % 1'003;
    const std::uint32_t correlation = written.call(now_ns, 1 + i % 300);
    auto kernel = written.work<KernelRow>(now_ns + 5'001, ns);
    kernel.name = 1;
    kernel.device = static_cast<std::uint32_t>(i % 2);
    written.trace.kernels.push_back(kernel);
    kernels[correlation] = {now_ns + 5'001, ns};
    now_ns += 1'100 + i % 7;
  }
  const profile::Timeline timeline = written.read();
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::dropped), 0);
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::repaired), 0);
  EXPECT_TRUE(timeline.notes.warnings().empty());
  EXPECT_TRUE(timeline.notes.other_categories().empty());
  const profile::Launches launches = profile::find_launches(timeline);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    const profile::Event& event = timeline.events[i];
    if (event.category != Category::kernel) {
      continue;
    }
    ++seen;
    const auto& [start_ns, ns] = kernels.at(static_cast<std::uint32_t>(event.correlation));
    ASSERT_EQ(event.start_ns, start_ns);
    ASSERT_EQ(event.duration_ns, ns);
    ASSERT_NE(launches.call_of[i], profile::kNone);
    EXPECT_EQ(timeline.events[launches.call_of[i]].correlation, event.correlation);
    EXPECT_EQ(timeline.name(event), "void add<float>(float*, \"x\")");
    EXPECT_EQ(timeline.track(event).stream, 7);
    EXPECT_EQ(timeline.track(event).device, static_cast<std::int32_t>(event.correlation - 1) % 2);
  }
  EXPECT_EQ(seen, kernels.size());
}

TEST(DeviceRowsText, TheDeviceIsDescribedAsKinetoDoes) {
  Written written;
  written.call(10, 5);
  written.trace.kernels.push_back(written.work<KernelRow>(20, 5));
  const profile::Timeline timeline = written.read();
  ASSERT_EQ(timeline.devices.size(), 1U);
  EXPECT_EQ(timeline.devices[0].name, "NVIDIA \"H100\"");
  EXPECT_EQ(timeline.devices[0].compute_major, 9);
  EXPECT_EQ(timeline.devices[0].multiprocessors, 132);
  EXPECT_EQ(timeline.devices[0].memory_bytes, std::int64_t{80} << 30);
  EXPECT_EQ(timeline.metadata.at("cupti_version"), "130001");
  for (const profile::Event& event : timeline.events) {
    if (event.category == Category::kernel) {
      EXPECT_EQ(timeline.strings.text(timeline.track(event).thread_name), "stream 7 ");
      EXPECT_EQ(timeline.strings.text(timeline.track(event).process_name), "tune-worker");
    }
  }
}

TEST(DeviceRowsText, AKernelSaysHowItWasLaunched) {
  Written written;
  written.call(2'000, 500);
  auto kernel = written.work<KernelRow>(4'000, 100);
  kernel.name = 1;
  kernel.grid = {66, 2, 1};
  kernel.block = {256, 1, 1};
  kernel.registers = 32;
  kernel.static_shared = 1'024;
  kernel.dynamic_shared = 2'048;
  kernel.graph = 3;
  kernel.graph_node = 12;
  written.trace.kernels.push_back(kernel);
  const json row = row_of(written.rows_of_device(), "kernel");
  const json& args = row.at("args");
  EXPECT_EQ(row.at("pid"), 0);
  EXPECT_EQ(row.at("tid"), 7);
  EXPECT_EQ(args.at("External id"), 2) << "aten::mm is the second row";
  EXPECT_EQ(args.at("grid"), (json{66, 2, 1}));
  EXPECT_EQ(args.at("block"), (json{256, 1, 1}));
  EXPECT_EQ(args.at("registers per thread"), 32);
  EXPECT_EQ(args.at("shared memory"), 3'072);
  EXPECT_EQ(args.at("blocks per SM"), 1.0);
  EXPECT_EQ(args.at("warps per SM"), 8.0);
  EXPECT_EQ(args.at("est. achieved occupancy %"), 13);
  EXPECT_EQ(args.at("graph node id"), 12);
  EXPECT_EQ(args.at("stream"), 7);
}

TEST(DeviceRowsText, CopiesAndSetsHaveKinetosNamesAndTheirBytes) {
  Written written;
  written.call(2'000, 500);
  auto copy = written.work<CopyRow>(4'000, 100);
  copy.kind = 1;
  copy.from = 2;
  copy.to = 3;
  copy.bytes = 1'000;
  copy.to_device = 1;
  written.trace.copies.push_back(copy);
  written.call(5'000, 500);
  auto set = written.work<SetRow>(6'000, 0);
  set.memory = 3;
  set.bytes = 64;
  written.trace.sets.push_back(set);
  const json rows = written.rows_of_device();
  const json& copied = row_of(rows, "gpu_memcpy");
  EXPECT_EQ(copied.at("name"), "Memcpy HtoD (Pinned -> Device)");
  EXPECT_EQ(copied.at("args").at("bytes"), 1'000);
  EXPECT_EQ(copied.at("args").at("memory bandwidth (GB/s)"), 10.0);
  EXPECT_EQ(copied.at("args").at("toDevice"), 1);
  EXPECT_FALSE(copied.at("args").contains("fromDevice"));
  const json& cleared = row_of(rows, "gpu_memset");
  EXPECT_EQ(cleared.at("name"), "Memset (Device)");
  EXPECT_EQ(cleared.at("args").at("bytes"), 64);
  EXPECT_FALSE(cleared.at("args").contains("memory bandwidth (GB/s)")) << "it took no time";
}

TEST(DeviceRowsText, CallsSayWhoseTheyAreAndArrowsLeadToTheirWork) {
  Written written;
  written.call(2'000, 500);
  written.trace.calls.back().interface = CallRow::Interface::driver;
  written.trace.kernels.push_back(written.work<KernelRow>(4'000, 100));
  written.call(600'000, 500);  // launches nothing, outside of any operator
  const json rows = written.rows_of_device();
  const json& driver = row_of(rows, "cuda_driver");
  EXPECT_EQ(driver.at("name"), "cudaLaunchKernel");
  EXPECT_EQ(driver.at("pid"), getpid());
  EXPECT_EQ(driver.at("args").at("cbid"), 211);
  EXPECT_EQ(driver.at("args").at("External id"), 2);
  EXPECT_FALSE(row_of(rows, "cuda_runtime").at("args").contains("External id"));
  std::vector<json> arrows;
  for (const json& row : rows) {
    if (row.value("cat", "") == "ac2g") {
      arrows.push_back(row);
    }
  }
  ASSERT_EQ(arrows.size(), 2U);
  EXPECT_EQ(arrows[0].at("ph"), "s");
  EXPECT_EQ(arrows[0].at("tid"), getpid());
  EXPECT_EQ(arrows[1].at("ph"), "f");
  EXPECT_EQ(arrows[1].at("bp"), "e");
  EXPECT_EQ(arrows[1].at("tid"), 7);
  EXPECT_EQ(arrows[0].at("id"), arrows[1].at("id"));
}

TEST(DeviceRowsText, WaitsAndOverheadAreRowsToo) {
  Written written;
  written.call(2'000, 500);
  written.trace.kernels.push_back(written.work<KernelRow>(4'000, 100));
  SyncRow sync;
  sync.kind = SyncRow::Kind::stream;
  sync.start_ns = kOrigin + 5'000;
  sync.end_ns = kOrigin + 6'000;
  sync.context = 1;
  sync.stream = 7;
  sync.correlation = 9;
  written.trace.syncs.push_back(sync);
  sync.kind = SyncRow::Kind::context;
  sync.stream.reset();
  written.trace.syncs.push_back(sync);
  sync.kind = SyncRow::Kind::stream_wait_event;
  sync.stream = 7;
  sync.event = 4;
  sync.correlation = 10;
  written.trace.syncs.push_back(sync);
  sync.record = EventRecord{13, 8};
  sync.correlation = 11;
  written.trace.syncs.push_back(sync);
  OverheadRow overhead;
  overhead.name = 2;
  overhead.start_ns = kOrigin + 7'000;
  overhead.end_ns = kOrigin + 8'000;
  written.trace.overheads.push_back(overhead);
  GraphRow graph = written.work<GraphRow>(9'000, 50);
  graph.graph = 4;
  written.trace.graphs.push_back(graph);
  const json rows = written.rows_of_device();
  const json& waited = row_of(rows, "cuda_sync");
  EXPECT_EQ(waited.at("name"), "Stream Sync");
  EXPECT_EQ(waited.at("tid"), 7);
  EXPECT_EQ(waited.at("args").at("cuda_sync_kind"), "Stream Sync");
  EXPECT_FALSE(waited.at("args").contains("wait_on_cuda_event_id"));
  std::vector<json> waits;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(waits), [](const json& row) {
    return row.value("name", "") == "Stream Wait Event";
  });
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits[0].at("args").at("wait_on_cuda_event_id"), 4);
  EXPECT_EQ(waits[0].at("args").at("wait_on_stream"), -1) << "recorded before the session";
  EXPECT_EQ(waits[1].at("args").at("wait_on_stream"), 13);
  EXPECT_EQ(waits[1].at("args").at("wait_on_cuda_event_record_corr_id"), 8);
  EXPECT_EQ(row_of(rows, "overhead").at("pid"), -1);
  EXPECT_EQ(row_of(rows, "overhead").at("name"), "Buffer Flush");
  const profile::Timeline timeline = written.read();
  ASSERT_EQ(timeline.syncs.size(), 4U);
  EXPECT_EQ(timeline.syncs[3].waits_for_stream, 13);
  EXPECT_EQ(timeline.syncs[3].waits_for_record_correlation, 8);
  EXPECT_TRUE(timeline.has(Category::overhead));
  EXPECT_EQ(timeline.notes.total(profile::NoteClass::dropped), 0);
}

TEST(DeviceRowsText, RangesOfTheHostAreRepeatedOnTheStream) {
  Written written;
  written.call(2'000, 500);
  written.trace.kernels.push_back(written.work<KernelRow>(4'000, 100));
  written.call(3'000, 500);
  written.trace.kernels.push_back(written.work<KernelRow>(4'200, 300));
  const json rows = written.rows_of_device();
  const json& step = row_of(rows, "gpu_user_annotation");
  EXPECT_EQ(step.at("name"), "ProfilerStep#3");
  EXPECT_EQ(step.at("ts"), 4.0);
  EXPECT_EQ(step.at("dur"), 0.5);
  EXPECT_EQ(step.at("tid"), 7);
  EXPECT_EQ(step.at("args").at("External id"), 1);
}

}  // namespace
}  // namespace tune::worker
