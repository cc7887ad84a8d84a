#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tune {
class Fields;
}

namespace tune::trial {

/// GPU time of the parts of one or more steps, ns, between events on the compute stream. Waiting
/// for other processes that train along (trial/rank_report.h) is part of backward_ns. `idle_ns` is
/// the time between two steps, or within a step of several batches that waits for the next batch:
/// the stream is mostly empty then. The time before the first step after a synchronisation is not
/// counted. `graph_ns` is a replayed CUDA graph: forward, backward and optimizer, which no event
/// divides.
struct DevicePhaseSums {
  std::int64_t idle_ns = 0, transfer_ns = 0, forward_ns = 0, backward_ns = 0, optimizer_ns = 0;
  std::int64_t graph_ns = 0;

  std::int64_t total_ns() const {
    return idle_ns + transfer_ns + forward_ns + backward_ns + optimizer_ns + graph_ns;
  }
  DevicePhaseSums& operator+=(const DevicePhaseSums& more) {
    idle_ns += more.idle_ns;
    transfer_ns += more.transfer_ns;
    forward_ns += more.forward_ns;
    backward_ns += more.backward_ns;
    optimizer_ns += more.optimizer_ns;
    graph_ns += more.graph_ns;
    return *this;
  }
  bool operator==(const DevicePhaseSums&) const = default;
};

void fields_of(Fields& fields, DevicePhaseSums& sums);

/// A reply lists at most this many steps of a GPU, the first of the window: with all other lists it
/// then stays below the limits of parse_json. The sums of the slices cover all steps.
constexpr std::size_t kMostDeviceSteps = 30'000;

/// One list per part, as for the phases of the host.
void device_steps_of(Fields& fields, const char* name, std::vector<DevicePhaseSums>& steps);

/// LibTorch's caching allocator on the GPU at the end of the measured window; peaks and counts
/// cover the window.
struct DeviceMemory {
  std::int64_t allocated_bytes = 0, peak_allocated_bytes = 0;  ///< by tensors
  std::int64_t reserved_bytes = 0, peak_reserved_bytes = 0;    ///< from the driver
  std::int64_t inactive_split_bytes = 0;                       ///< unusable fragments
  std::int64_t retries = 0;  ///< the cache was returned to the driver, which synchronises
  std::int64_t device_allocations = 0, device_frees = 0;  ///< calls of the driver
  std::int64_t sync_all_streams = 0, failures = 0;
  bool operator==(const DeviceMemory&) const = default;
};

void fields_of(Fields& fields, DeviceMemory& memory);

/// The GPU that a trial computed on. Versions are CUDA's numbers: 13000 is 13.0, CUPTI's 130001 is
/// 13.0 update 1, cuDNN's 91900 is 9.19.
struct GpuFacts {
  std::string name, uuid;  ///< "GPU-6f1c...", as NVML writes it
  std::int64_t compute_major = 0, compute_minor = 0;
  std::int64_t memory_bytes = 0, multiprocessors = 0;
  std::int64_t driver_version = 0, runtime_version = 0, cupti_version = 0, cudnn_version = 0;
  bool operator==(const GpuFacts&) const = default;
};

void fields_of(Fields& fields, GpuFacts& gpu);

}  // namespace tune::trial
