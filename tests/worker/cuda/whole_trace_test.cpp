#include "fake_cupti.h"
#include "trace/metric/trace_metrics.h"
#include "trace/reader/read_trace.h"
#include "worker/cuda/cupti_session.h"
#include "worker/recorder/trace_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>
#include <zlib.h>

namespace tune::worker {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::int64_t kOrigin = 5'000'000'000'000;  // CLOCK_MONOTONIC at ts 0

fs::path recorded() {
  return fs::path(SOURCE_DIR) / "tests/recorded/h200/mlp.trace.json.gz";
}

json rows_of(const fs::path& file) {
  std::string text(1 << 24, '\0');
  gzFile in = gzopen(file.c_str(), "rb");
  const int got = gzread(in, text.data(), static_cast<unsigned>(text.size()));
  gzclose(in);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return json::parse(text).at("traceEvents");
}

std::int64_t start_of(const json& row) {
  return kOrigin + std::llround(row.at("ts").get<double>() * 1000);
}

std::int64_t end_of(const json& row) {
  return start_of(row) + std::llround(row.at("dur").get<double>() * 1000);
}

// Hands the rows of a trace that an H200 recorded over as CUPTI's records, and those of the host as
// our own recording.
class Replay {
 public:
  explicit Replay(const json& rows) : log_(*recording_.log_of_this_thread()) {
    cupti_.records_in_buffer = 500;
    rows_.modules.emplace_back();
    for (const json& row : rows) {
      if (row.value("ph", "") == "X") {
        add(row.at("cat").get<std::string>(), row);
      }
    }
    // A parent comes before its children.
    std::stable_sort(rows_.rows.begin(), rows_.rows.end(), [](const auto& a, const auto& b) {
      return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
  }

  fs::path write(DeviceTraceResult& result) {
    CuptiSession session(cupti_.api(), [] {});
    // Nothing is delivered before the window.
    std::vector<std::vector<std::uint8_t>> records;
    records.swap(cupti_.to_write);
    EXPECT_FALSE(session.start({}).has_value());
    session.discard();
    records.swap(cupti_.to_write);
    std::sort(edges_.begin(), edges_.end());
    result = session.finish(edges_);
    const DeviceSide side =
        join_device(result.trace, h200(), recording_, rows_, {{edges_.front(), edges_.back()}});
    TraceFacts facts;
    facts.process = 2725;
    facts.origin_ns = kOrigin;
    facts.origin_unix_ns = 1'790'000'000'123'456'789;
    facts.end_ns = edges_.back();
    facts.dtypes = {"unsigned char", "float"};
    facts.device = &side;
    const fs::path file = fs::path(testing::TempDir()) / "tune-whole-trace.json.gz";
    write_trace_file(file, recording_, rows_, facts);
    return file;
  }

 private:
  static CudaFacts h200() {
    CudaFacts gpu;
    gpu.name = "NVIDIA H200";
    gpu.compute_major = 9;
    gpu.memory_bytes = 150'109'880'320;
    gpu.multiprocessors = 132;
    gpu.warp_size = 32;
    gpu.threads_per_block = 1024;
    gpu.threads_per_multiprocessor = 2048;
    gpu.registers_per_block = gpu.registers_per_multiprocessor = 65'536;
    gpu.shared_per_block = 49'152;
    gpu.shared_per_block_optin = 232'448;
    gpu.shared_per_multiprocessor = 233'472;
    gpu.driver_version = gpu.runtime_version = 13'000;
    gpu.cupti_version = 130'001;
    return gpu;
  }

  void add(const std::string& category, const json& row) {
    if (category == "kernel") {
      add_kernel(row);
    } else if (category == "gpu_memcpy") {
      add_copy(row);
    } else if (category == "gpu_memset") {
      add_set(row);
    } else if (category == "cuda_runtime" || category == "cuda_driver") {
      add_call(row, category == "cuda_driver");
    } else if (category == "cuda_sync") {
      add_sync(row);
    } else if (category == "user_annotation" || category == "cpu_op") {
      add_host(row, category == "cpu_op" ? EventKind::op : EventKind::annotation);
    }
  }

  template <class Record>
  static Record of_work(const json& row, CUpti_ActivityKind kind) {
    const json& args = row.at("args");
    Record record{};
    record.kind = kind;
    record.start = static_cast<std::uint64_t>(start_of(row));
    record.end = static_cast<std::uint64_t>(end_of(row));
    record.contextId = args.at("context");
    record.streamId = args.at("stream");
    record.correlationId = args.at("correlation");
    return record;
  }

  void add_kernel(const json& row) {
    const json& args = row.at("args");
    auto kernel = of_work<KernelRecord>(row, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    kernel.name = names_.emplace_back(row.at("name").get<std::string>()).c_str();
    kernel.deviceId = args.at("device");
    const auto grid = args.at("grid").get<std::array<std::int32_t, 3>>();
    const auto block = args.at("block").get<std::array<std::int32_t, 3>>();
    kernel.gridX = grid[0];
    kernel.gridY = grid[1];
    kernel.gridZ = grid[2];
    kernel.blockX = block[0];
    kernel.blockY = block[1];
    kernel.blockZ = block[2];
    kernel.registersPerThread = args.at("registers per thread");
    kernel.dynamicSharedMemory = args.at("shared memory");
    cupti_.will_write(kernel);
  }

  void add_copy(const json& row) {
    const std::string name = row.at("name");
    const bool is_to_device = name == "Memcpy HtoD (Pageable -> Device)";
    ASSERT_TRUE(is_to_device || name == "Memcpy DtoH (Device -> Pageable)") << name;
    auto copy = of_work<CopyRecord>(row, CUPTI_ACTIVITY_KIND_MEMCPY);
    copy.deviceId = row.at("args").at("device");
    copy.bytes = row.at("args").at("bytes");
    copy.copyKind =
        is_to_device ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    copy.srcKind =
        is_to_device ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    copy.dstKind =
        is_to_device ? CUPTI_ACTIVITY_MEMORY_KIND_DEVICE : CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
    cupti_.will_write(copy);
  }

  void add_set(const json& row) {
    auto set = of_work<CUpti_ActivityMemset4>(row, CUPTI_ACTIVITY_KIND_MEMSET);
    set.deviceId = row.at("args").at("device");
    set.bytes = row.at("args").at("bytes");
    set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    cupti_.will_write(set);
  }

  void add_call(const json& row, bool is_driver) {
    const json& args = row.at("args");
    CUpti_ActivityAPI call{};
    call.kind = is_driver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = args.at("cbid");
    call.start = static_cast<std::uint64_t>(start_of(row));
    call.end = static_cast<std::uint64_t>(end_of(row));
    call.processId = row.at("pid");
    call.threadId = row.at("tid");
    call.correlationId = args.at("correlation");
    const auto domain = is_driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    const std::uint32_t number = args.at("cbid");
    cupti_.names[{domain, number}] = row.at("name").get<std::string>();
    cupti_.will_write(call);
  }

  void add_sync(const json& row) {
    static const std::map<std::string, CUpti_ActivitySynchronizationType> kTypes = {
        {"Stream Sync", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE},
        {"Context Sync", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE}};
    SyncRecord sync{};
    sync.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    sync.type = kTypes.at(row.at("args").at("cuda_sync_kind"));
    sync.start = static_cast<std::uint64_t>(start_of(row));
    sync.end = static_cast<std::uint64_t>(end_of(row));
    sync.contextId = row.at("args").value("context", 1U);
    sync.streamId = row.at("args").value("stream", 0U);
    sync.correlationId = row.at("args").at("correlation");
    cupti_.will_write(sync);
  }

  void add_host(const json& row, EventKind kind) {
    const std::string name = row.at("name");
    TraceRow host;
    host.name = log_.name(name).id;
    host.start_ns = start_of(row);
    host.end_ns = end_of(row);
    host.kind = kind;
    rows_.rows.push_back(host);
    if (name.starts_with("ProfilerStep#")) {
      edges_.push_back(host.end_ns);
      first_ns_ = edges_.size() == 1 ? host.start_ns : std::min(first_ns_, host.start_ns);
    }
  }

 public:
  /// The steps' edges, the first begin included.
  void close_edges() { edges_.push_back(first_ns_); }

 private:
  FakeCupti cupti_;
  std::deque<std::string> names_;  // CUPTI's records point to them
  Recording recording_{Recording::Options{}};
  ThreadLog& log_;
  TraceRows rows_;
  std::vector<std::int64_t> edges_;
  std::int64_t first_ns_ = 0;
};

// Metrics of what a GPU did and of the calls to it. Others need what is not handed over: memory
// rows, shapes of tensors, the host's second thread.
bool is_of_the_device(const std::string& id) {
  static const std::vector<std::string> kBegins = {
      "step_",    "gpu_",         "sm_",       "occupancy",    "small_grid", "partition_",
      "launch_",  "short_kernel", "queue_",    "idle_",        "host_wait",  "kernel_",
      "long_gap", "gap_time",     "h2d_",      "d2h_",         "d2d_",       "sync_",
      "device_",  "blocked_by",   "blocking_", "uncorrelated", "copy_call"};
  return std::any_of(kBegins.begin(), kBegins.end(), [&](const std::string& begin) {
    return id.starts_with(begin);
  });
}

std::map<std::string, double> metrics_of(const fs::path& file) {
  const profile::Timeline timeline = profile::read_trace(file);
  std::map<std::string, double> numbers;
  for (const metric::Metric& metric : metric::trace_metrics(metric::examine(timeline))) {
    if (metric.value && is_of_the_device(metric.id)) {
      numbers[metric.id] = *metric.value;
    }
  }
  return numbers;
}

TEST(WholeTrace, RecordsOfAnH200BecomeTheTraceThatTheyCameFrom) {
  Replay replay(rows_of(recorded()));
  replay.close_edges();
  DeviceTraceResult result;
  const fs::path file = replay.write(result);
  EXPECT_EQ(result.check.problems, std::vector<std::string>{});
  EXPECT_EQ(result.trace.kernels.size(), 1025U);
  EXPECT_EQ(result.check.kernels_in_steps, std::vector<std::int64_t>(5, 205));
  const auto before = metrics_of(recorded());
  const auto after = metrics_of(file);
  EXPECT_GT(before.size(), 60U);
  for (const auto& [id, value] : before) {
    const auto same = after.find(id);
    EXPECT_TRUE(same != after.end() && std::abs(same->second - value) <= 1e-9 * std::abs(value))
        << id << ": " << value << " became "
        << (same == after.end() ? "nothing" : std::to_string(same->second));
  }
}

}  // namespace
}  // namespace tune::worker
