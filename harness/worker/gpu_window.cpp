#include "worker/gpu_window.h"

#include "worker/cuda_loader.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace tune::worker {

namespace {

trial::DevicePhaseSums sums_of(const DevicePhases& step) {
  trial::DevicePhaseSums sums;
  sums.idle_ns = step.gap_ns;
  sums.transfer_ns = step.transfer_ns;
  sums.forward_ns = step.forward_ns;
  sums.backward_ns = step.backward_ns + step.communication_ns;
  sums.optimizer_ns = step.optimizer_ns;
  sums.graph_ns = step.graph_ns;
  return sums;
}

}  // namespace

trial::GpuFacts gpu_facts(const CudaFacts& facts) {
  trial::GpuFacts gpu;
  gpu.name = facts.name;
  gpu.uuid = facts.uuid;
  gpu.compute_major = facts.compute_major;
  gpu.compute_minor = facts.compute_minor;
  gpu.memory_bytes = facts.memory_bytes;
  gpu.multiprocessors = facts.multiprocessors;
  gpu.driver_version = facts.driver_version;
  gpu.runtime_version = facts.runtime_version;
  gpu.cupti_version = facts.cupti_version;
  gpu.cudnn_version = facts.cudnn_version;
  return gpu;
}

void GpuWindow::begin() {
  wait();
  communication_ns_ = 0;
  plugin_.restart_memory_peaks();
}

std::vector<trial::DevicePhaseSums> GpuWindow::wait() {
  plugin_.synchronize();  // also streams that copy ahead, which no timer sees
  const std::vector<DevicePhases> steps = plugin_.timer().collect();
  std::vector<trial::DevicePhaseSums> sums(steps.size());
  std::transform(steps.begin(), steps.end(), sums.begin(), sums_of);
  for (const DevicePhases& step : steps) {
    communication_ns_ += step.communication_ns;
  }
  return sums;
}

trial::DeviceMemory GpuWindow::memory() const {
  const CudaMemory seen = plugin_.memory();
  trial::DeviceMemory memory;
  memory.allocated_bytes = seen.allocated_bytes;
  memory.peak_allocated_bytes = seen.peak_allocated_bytes;
  memory.reserved_bytes = seen.reserved_bytes;
  memory.peak_reserved_bytes = seen.peak_reserved_bytes;
  memory.inactive_split_bytes = seen.inactive_split_bytes;
  memory.retries = seen.retries;
  memory.device_allocations = seen.device_allocations;
  memory.device_frees = seen.device_frees;
  memory.sync_all_streams = seen.sync_all_streams;
  memory.failures = seen.failures;
  return memory;
}

namespace {

// The first error says most: later ones are often its consequence.
std::string why_not_valid(const std::vector<std::string>& problems) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < problems.size() && i < kNamed; ++i) {
    text += i == 0 ? "" : "; ";
    text += problems[i];
  }
  if (problems.size() > kNamed) {
    text += "; and " + std::to_string(problems.size() - kNamed);
    text += " more";
  }
  return text + " (invalid_trace)";
}

}  // namespace

template <class Call>
void GpuTrace::guard(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    reason_ = error.what();
    reason_ += " (cupti_error)";
  }
}

void GpuTrace::start() {
  guard([this] {
    if (const auto unavailable = session_.start(TraceOptions())) {
      reason_ = no_gpu(*unavailable);
    } else {
      is_recording_ = true;
    }
  });
}

void GpuTrace::discard() {
  if (is_recording_ && reason_.empty()) {
    guard([this] { session_.discard(); });
  }
}

void GpuTrace::decode() {
  if (is_recording_ && reason_.empty()) {
    guard([this] { session_.decode(); });
  }
}

GpuTrace::~GpuTrace() {
  finish({0, 0});
}

std::optional<DeviceTraceResult> GpuTrace::finish(const std::vector<std::int64_t>& edges) {
  std::optional<DeviceTraceResult> found;
  if (!is_recording_) {
    return found;
  }
  is_recording_ = false;
  const std::string earlier = reason_;
  guard([&] { found = session_.finish(edges); });  // also after a failure: it detaches
  if (!earlier.empty()) {
    reason_ = earlier;
  } else if (found && !found->check.problems.empty()) {
    reason_ = why_not_valid(found->check.problems);
  }
  return reason_.empty() ? std::move(found) : std::nullopt;
}

}  // namespace tune::worker
