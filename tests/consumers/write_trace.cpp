// write_trace <file.json.gz>: three recorded steps as the worker writes them, with hand-filled GPU
// rows. Prints their true values: {"kernel_us": ..., "busy_us": ..., "span_us": ...}.

#include "sample_recording.h"
#include "worker/recorder/device_side.h"
#include "worker/recorder/trace_file.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tune::worker {

namespace {

constexpr std::int64_t kOrigin = 5'000'000'000'001;
constexpr std::int64_t kStepNs = 1'000'000;
constexpr int kSteps = 3;
constexpr std::uint32_t kCompute = 7, kCopies = 13;

CudaFacts some_gpu() {
  CudaFacts gpu;
  gpu.name = "NVIDIA H100";
  gpu.compute_major = 9;
  gpu.memory_bytes = std::int64_t{80} << 30;
  gpu.multiprocessors = 132;
  gpu.warp_size = 32;
  gpu.threads_per_block = 1'024;
  gpu.threads_per_multiprocessor = 2'048;
  gpu.registers_per_multiprocessor = 65'536;
  gpu.shared_per_multiprocessor = 233'472;
  return gpu;
}

/// Steps with one operator on the host, which copies a batch on a separate stream, lets the compute
/// stream wait for it, and launches three kernels.
class Steps {
 public:
  Steps() {
    trace_.names = {"cudaLaunchKernel",
                    "cudaMemcpyAsync",
                    "cudaEventRecord",
                    "cudaStreamWaitEvent",
                    "cudaDeviceSynchronize",
                    "gemm",
                    "add"};
    rows_.modules.emplace_back();
    for (int i = 0; i < kSteps; ++i) {
      add_step(i);
    }
    add_call(kSteps * kStepNs - 200'000, 190'000, 4);  // the last thing of the window
    SyncRow whole;
    whole.start_ns = at(kSteps * kStepNs - 199'000);
    whole.end_ns = at(kSteps * kStepNs - 11'000);
    whole.context = 1;
    whole.correlation = correlation_;
    trace_.syncs.push_back(whole);
  }

  void write(const std::string& file) {
    const std::vector<TraceWindow> window = {{kOrigin, at(kSteps * kStepNs)}};
    const DeviceSide side = join_device(trace_, some_gpu(), sample_.recording, rows_, window);
    TraceFacts facts;
    facts.process = getpid();
    facts.origin_ns = kOrigin;
    facts.origin_unix_ns = 1'790'000'000'123'456'789;
    facts.end_ns = window.front().end_ns;
    facts.device = &side;
    write_trace_file(file, sample_.recording, rows_, facts);
  }

  // Kernels do not overlap each other here; copies do.
  void print() const {
    using Span = std::pair<std::int64_t, std::int64_t>;
    std::vector<Span> work;
    std::int64_t kernel_ns = 0;
    for (const KernelRow& kernel : trace_.kernels) {
      kernel_ns += kernel.end_ns - kernel.start_ns;
      work.emplace_back(kernel.start_ns, kernel.end_ns);
    }
    for (const CopyRow& copy : trace_.copies) {
      work.emplace_back(copy.start_ns, copy.end_ns);
    }
    std::sort(work.begin(), work.end());
    std::int64_t busy_ns = 0, end_ns = work.front().first;
    for (const Span& span : work) {
      busy_ns += std::max<std::int64_t>(0, span.second - std::max(end_ns, span.first));
      end_ns = std::max(end_ns, span.second);
    }
    constexpr double kMicro = 1e-3;
    std::printf("{\"kernel_us\": %.3f, \"busy_us\": %.3f, \"span_us\": %.3f}\n",
                static_cast<double>(kernel_ns) * kMicro,
                static_cast<double>(busy_ns) * kMicro,
                static_cast<double>(end_ns - work.front().first) * kMicro);
  }

 private:
  static std::int64_t at(std::int64_t since_ns) { return kOrigin + since_ns; }

  void add_row(const std::string& name, std::int64_t start_ns, std::int64_t ns, EventKind kind) {
    TraceRow row;
    row.name = sample_.name(name);
    row.start_ns = at(start_ns);
    row.end_ns = row.start_ns + ns;
    row.kind = kind;
    rows_.rows.push_back(row);
  }

  void add_call(std::int64_t start_ns, std::int64_t ns, std::uint32_t name) {
    CallRow row;
    row.name = name;
    row.start_ns = at(start_ns);
    row.end_ns = row.start_ns + ns;
    row.process = row.thread = static_cast<std::uint32_t>(getpid());
    row.callback = 211;
    row.correlation = ++correlation_;
    trace_.calls.push_back(row);
  }

  template <class Row>
  Row work(std::int64_t start_ns, std::int64_t ns, std::uint32_t stream) const {
    Row row;
    row.start_ns = at(start_ns);
    row.end_ns = row.start_ns + ns;
    row.context = 1;
    row.stream = stream;
    row.correlation = correlation_;
    return row;
  }

  // Odd numbers of ns, so that rounding is noticed.
  void add_step(int number) {
    const std::int64_t begin_ns = number * kStepNs;
    add_row("ProfilerStep#" + std::to_string(number), begin_ns, kStepNs, EventKind::annotation);
    add_row("aten::mm", begin_ns + 10'003, 400'000, EventKind::op);
    add_call(begin_ns + 20'001, 5'001, 1);
    CopyRow copy = work<CopyRow>(begin_ns + 40'007, 60'013, kCopies);
    copy.kind = 1;
    copy.from = 1;
    copy.to = 3;
    copy.bytes = 1 << 20;
    trace_.copies.push_back(copy);
    add_call(begin_ns + 30'001, 2'001, 2);
    const EventRecord record = {kCopies, correlation_};
    add_call(begin_ns + 43'001, 2'001, 3);
    SyncRow wait;
    wait.kind = SyncRow::Kind::stream_wait_event;
    wait.start_ns = at(begin_ns + 43'501);  // next to the copy: HTA counts it as work
    wait.end_ns = at(begin_ns + 44'501);
    wait.context = 1;
    wait.correlation = correlation_;
    wait.stream = kCompute;
    wait.event = 4;
    wait.record = record;
    trace_.syncs.push_back(wait);
    constexpr int kKernels = 3;
    for (int i = 0; i < kKernels; ++i) {
      add_call(begin_ns + 50'000 + 20'000 * i, 6'001, 0);
      KernelRow kernel = work<KernelRow>(begin_ns + 110'011 + 150'000 * i, 120'017, kCompute);
      kernel.name = i == 0 ? 5 : 6;
      kernel.grid = {132, 1, 1};
      kernel.block = {256, 1, 1};
      kernel.registers = 96;
      trace_.kernels.push_back(kernel);
    }
  }

  SampleRecording sample_;
  TraceRows rows_;
  DeviceTrace trace_;
  std::uint32_t correlation_ = 0;
};

}  // namespace

}  // namespace tune::worker

int main(int argc, char** argv) {
  if (argc != 2) {
    (void)std::fputs("usage: write_trace <file.json.gz>\n", stderr);
    return 2;
  }
  tune::worker::Steps steps;
  steps.write(argv[1]);
  steps.print();
  return 0;
}
