// Reading speed of `tune analyze`: writes a trace of the wanted size, the same for the same size,
// and reads it. Wall time, rate, rows per second, peak memory and the cost of the metrics are
// printed.
//
//     trace_bench <file to write> <MB> [memory limit in MB]

#include "base/error.h"
#include "base/monotonic_clock.h"
#include "metric/trace_metrics.h"
#include "profile/reader/read_trace.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <sys/resource.h>

namespace {

constexpr double kMega = 1e6;
constexpr int kOpsOfStep = 400;

// Host rows of a training step first, its device rows after them, as Kineto orders a file.
class TraceWriter {
 public:
  explicit TraceWriter(const std::string& path) : out_(path) {
    out_
        << R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Bench", "numSms": 108}],)"
        << "\n\"traceEvents\": [\n";
  }

  void write(std::int64_t bytes) {
    while (out_.tellp() < bytes) {
      step();
    }
    out_ << R"({"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": )"
         << now_us_ << "}\n]}\n";
  }

 private:
  void step() {
    const double begin_us = now_us_;
    for (int op = 0; op < kOpsOfStep; ++op) {
      operation();
    }
    line(
        R"j({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d", "pid": 412, "tid": 412, "ts": %.3f, "dur": %.3f, "args": {"External id": %d, "Ev Idx": %d}},)j",
        steps_,
        begin_us,
        now_us_ - begin_us,
        id_,
        id_);
    ++steps_;
    now_us_ += 10;
  }

  void operation() {
    ++id_;
    const auto kind = static_cast<int>(bits_() % 40);
    const double host_us = 20 + static_cast<double>(bits_() % 30'000) / 1000;
    line(
        R"j({"ph": "X", "cat": "cpu_op", "name": "aten::op_%d", "pid": 412, "tid": 412, "ts": %.3f, "dur": %.3f, "args": {"External id": %d, "Record function id": 0, "Sequence number": %d, "Fwd thread id": 0, "Input Dims": [[64, %d], [%d, 256]], "Input type": ["float", "float"], "Ev Idx": %d}},)j",
        kind,
        now_us_,
        host_us,
        id_,
        id_,
        kind * 16,
        kind * 16,
        id_);
    line(
        R"j({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 412, "tid": 412, "ts": %.3f, "dur": %.3f, "args": {"External id": %d, "cbid": 211, "correlation": %d}},)j",
        now_us_ + 8,
        5.5,
        id_,
        id_);
    line(
        R"j({"ph": "s", "id": %d, "pid": 412, "tid": 412, "ts": %.3f, "cat": "ac2g", "name": "ac2g"},)j",
        id_,
        now_us_ + 8);
    line(
        R"j({"ph": "X", "cat": "kernel", "name": "void at::native::vectorized_elementwise_kernel<4, at::native::op_%d<float>, at::detail::Array<char*, 3>>(int, at::native::op_%d<float>, at::detail::Array<char*, 3>)", "pid": 0, "tid": 7, "ts": %.3f, "dur": %.3f, "args": {"External id": %d, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": %d, "registers per thread": 32, "shared memory": 0, "blocks per SM": 3.7, "warps per SM": 29.6, "grid": [400, 1, 1], "block": [256, 1, 1], "est. achieved occupancy %%": 46}},)j",
        kind,
        kind,
        now_us_ + 15,
        host_us * 0.8,
        id_,
        id_);
    line(
        R"j({"ph": "f", "id": %d, "pid": 0, "tid": 7, "ts": %.3f, "cat": "ac2g", "name": "ac2g", "bp": "e"},)j",
        id_,
        now_us_ + 15);
    now_us_ += host_us;
  }

  template <class... Values>
  void line(const char* format, Values... values) {
    std::array<char, 1024> text{};
    const int size = std::snprintf(text.data(), text.size(), format, values...);
    out_.write(text.data(), size);
    out_.put('\n');
  }

  std::ofstream out_;
  std::mt19937_64 bits_{1};
  double now_us_ = 1000;
  int steps_ = 0;
  int id_ = 0;
};

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / kMega;
}

void measure(const std::string& path, std::int64_t limit_bytes) {
  const std::int64_t start_ns = tune::monotonic_ns();
  const auto timeline = tune::profile::read_trace(path, {.memory_limit_bytes = limit_bytes});
  const std::int64_t read_ns = tune::monotonic_ns();
  const auto metrics = tune::metric::trace_metrics(tune::metric::examine(timeline));
  const std::int64_t end_ns = tune::monotonic_ns();
  const double seconds = static_cast<double>(read_ns - start_ns) * 1e-9;
  const auto rows = static_cast<double>(timeline.cost.rows);
  const auto kept = static_cast<double>(timeline.events.size());
  const double metric_ms = static_cast<double>(end_ns - read_ns) * 1e-6;
  const double json_mb = static_cast<double>(timeline.cost.json_bytes) / kMega;
  std::printf("read      %.1f MB of JSON, %.0f rows in %.2f s: %.0f MB/s, %.0f rows/s\n",
              json_mb,
              rows,
              seconds,
              json_mb / seconds,
              rows / seconds);
  std::printf("tables    %.1f MB, peak memory of the process %.1f MB (%.2f x the JSON)\n",
              static_cast<double>(timeline.cost.table_bytes) / kMega,
              peak_memory_mb(),
              peak_memory_mb() / json_mb);
  std::printf("metrics   %zu in %.1f ms: %.1f ms per 100,000 events kept (%.0f)\n",
              metrics.size(),
              metric_ms,
              metric_ms / kept * 1e5,
              kept);
  if (timeline.cut_at_ns) {
    std::printf("cut       the first %.3f s fit into the limit\n",
                static_cast<double>(*timeline.cut_at_ns) * 1e-9);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "trace_bench FILE MB [LIMIT_MB]\n";
    return 2;
  }
  try {
    constexpr std::int64_t kBytesOfMb = 1'000'000;
    TraceWriter(argv[1]).write(std::atoll(argv[2]) * kBytesOfMb);
    measure(argv[1], argc > 3 ? std::atoll(argv[3]) * kBytesOfMb : std::int64_t{2} << 30);
  } catch (const tune::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
