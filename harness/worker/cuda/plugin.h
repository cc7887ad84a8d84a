#pragma once

#include "worker/cuda/device_row.h"
#include "worker/data/slot_memory.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace c10d {
class ProcessGroup;
}

/// The interface of libtune_cuda.so. The worker opens it with dlopen (worker/cuda_loader.h) and
/// does not link CUDA. Both are built together; the version check refuses a file from another
/// build.
namespace tune::worker {

constexpr std::uint32_t kCudaPluginVersion = 5;
constexpr const char* kCudaPluginEntry = "tune_cuda_plugin";

/// Why a part of the GPU is unavailable.
struct Unavailable {
  std::string kind;  ///< one word: no_driver, driver_too_old, no_device, no_permission, busy, ...
  std::string text;  ///< a sentence without a full stop
};

/// The device that trials use: the first one that CUDA_VISIBLE_DEVICES allows. Versions are CUDA's
/// numbers: 13000 is 13.0.
struct CudaFacts {
  std::int64_t device = 0;  ///< index within this process
  std::string name, uuid;   ///< "GPU-6f1c...": as nvidia-smi and NVML write it
  std::int64_t compute_major = 0, compute_minor = 0;
  std::int64_t memory_bytes = 0, multiprocessors = 0, warp_size = 0;
  std::int64_t threads_per_block = 0, threads_per_multiprocessor = 0;  ///< at most
  std::int64_t registers_per_block = 0, registers_per_multiprocessor = 0;
  std::int64_t shared_per_block = 0, shared_per_block_optin = 0, shared_per_multiprocessor = 0;
  std::int64_t driver_version = 0, runtime_version = 0;
  std::int64_t cupti_version = 0;  ///< 130001 is 13.0 update 1
  std::int64_t cudnn_version = 0;  ///< 91900 is 9.19; 0: LibTorch finds none
};

/// LibTorch's caching allocator on the device, in bytes; peaks since restart_memory_peaks().
struct CudaMemory {
  std::int64_t allocated_bytes = 0, peak_allocated_bytes = 0;
  std::int64_t reserved_bytes = 0, peak_reserved_bytes = 0;
  std::int64_t inactive_split_bytes = 0;
  std::int64_t retries = 0;  ///< each one hides a free of the cache and a synchronisation
  std::int64_t device_allocations = 0, device_frees = 0, sync_all_streams = 0, failures = 0;
};

/// idle: within a step, nothing was on the stream (a step of several batches waits for them).
/// graph: forward, backward and optimizer of a replayed step. communication: nothing was computed,
/// for the stream waited for other processes.
enum class DevicePhase { transfer, forward, backward, communication, optimizer, idle, graph };

/// Time between the events of one step on the compute stream, ns. `gap_ns` is the time between it
/// and the previous step (0 for the first step after collect()), plus idle time within it.
struct DevicePhases {
  std::int64_t gap_ns = 0, transfer_ns = 0, forward_ns = 0, backward_ns = 0, optimizer_ns = 0;
  std::int64_t communication_ns = 0, graph_ns = 0;
  std::int64_t covered_ns() const {
    return transfer_ns + forward_ns + backward_ns + communication_ns + optimizer_ns + graph_ns;
  }
  bool operator==(const DevicePhases&) const = default;
};

/// Puts events between the phases of steps. Only collect() waits for the device.
class DeviceTimer {
 public:
  virtual ~DeviceTimer() = default;
  virtual void begin_step() = 0;

  /// Work put on the stream since the last edge belongs to `phase`.
  virtual void end_phase(DevicePhase phase) = 0;

  /// Waits until all steps are done; returns the phases of the steps since the last call, in order,
  /// at most 100,000. Throws std::runtime_error with CUDA's words when the device failed.
  virtual std::vector<DevicePhases> collect() = 0;
};

/// Captures a step as one CUDA graph. Its work runs on a stream of its own, because the default
/// stream cannot be captured; what was launched before on the compute stream is done before it, and
/// what is launched later comes after it. All calls throw std::exception with CUDA's words.
class GraphDevice {
 public:
  virtual ~GraphDevice() = default;

  /// Runs `work` there as it is: libraries then have their memory and their choices for this
  /// stream.
  virtual void run_aside(const std::function<void()>& work) = 0;

  /// Calls `work`; what it launches is captured and not run. Called once.
  virtual void capture(const std::function<void()>& work) = 0;

  /// Runs what was captured, on the compute stream.
  virtual void replay() = 0;
};

/// What to record (PyTorch's profile: options do not cover these).
struct TraceOptions {
  bool graph_nodes = true;  ///< false: a CUDA graph is one row (GRAPH_TRACE), which costs less
  bool driver_calls = true, synchronization = true, overhead = true;
  bool own_clock = true;  ///< false: CUPTI's times are CLOCK_REALTIME and are converted
};

/// The recorded trace with its verdict (rules in trace_check.h).
struct TraceCheck {
  std::vector<std::string> problems;  ///< empty: the trace is valid
  std::vector<std::string> notes;     ///< oddities that leave it valid
  std::int64_t kernels_without_launch = 0, kernels_before_launch = 0, overlapping_kernels = 0;
  std::int64_t other_work_without_launch = 0;  ///< copies and sets
  std::optional<std::int64_t>
      least_delay_ns;  ///< smallest delay between a launch and its kernel's start
  std::vector<std::int64_t> kernels_in_steps;  ///< by the time of their launch
};

struct DeviceTraceResult {
  DeviceTrace trace;  ///< clipped to the window
  TraceCheck check;
  std::string clock;  ///< monotonic | realtime: source of the time stamps
  std::vector<std::string> notes;
  std::int64_t flush_ns = 0;  ///< time that CUPTI took to deliver its last records
  std::int64_t flushed_bytes = 0, flushed_buffers = 0;
};

/// The one session of CUPTI that a process may have: start, warm-up steps, discard, recorded steps,
/// finish. With several windows, decode at the end of each and discard before the next. Nothing
/// calls CUPTI before start().
class TraceSession {
 public:
  virtual ~TraceSession() = default;

  /// Attaches. Nothing: recording. At most one start() per process ever succeeds.
  virtual std::optional<Unavailable> start(const TraceOptions& options) = 0;

  /// Outside windows: waits for the device and discards what was recorded since the last decode(),
  /// if any.
  virtual void discard() = 0;

  /// At the end of a window: waits for the device and decodes what was recorded, so that there is
  /// room for the next one.
  virtual void decode() = 0;

  /// Waits for the device, decodes, detaches and checks. `edges` are the start of the first
  /// recorded step, the starts of the others and the end of the last, CLOCK_MONOTONIC ns: rows that
  /// do not overlap them are dropped. CUPTI is detached afterwards, even when this throws.
  virtual DeviceTraceResult finish(const std::vector<std::int64_t>& edges) = 0;
};

/// As a PageLocker it locks pages for copies to this device.
class CudaPlugin : public PageLocker {
 public:
  virtual const CudaFacts& facts() const = 0;
  virtual void synchronize() = 0;
  virtual void restart_memory_peaks() = 0;
  virtual CudaMemory memory() const = 0;

  /// cudaStream_t on which operators of the calling thread run.
  virtual void* compute_stream() = 0;

  /// Gives the group NCCL for tensors of this device. Returns why it cannot, else "".
  virtual std::string connect(c10d::ProcessGroup& group) = 0;

  virtual DeviceTimer& timer() = 0;
  virtual GraphDevice& graph() = 0;
  virtual TraceSession& trace() = 0;
};

/// The table behind the pointer that the one exported function, kCudaPluginEntry, returns.
struct CudaPluginEntry {
  std::uint32_t version = 0;
  /// Opens the device; null and a reason when none can be used. Called once, before any other call
  /// into LibTorch. Does not throw.
  std::unique_ptr<CudaPlugin> (*make)(Unavailable& reason) = nullptr;
};

}  // namespace tune::worker
