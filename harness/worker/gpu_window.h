#pragma once

#include "trial/device_report.h"
#include "worker/cuda/plugin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::worker {

/// The GPU as a reply describes it.
trial::GpuFacts gpu_facts(const CudaFacts& facts);

/// What the GPU does in the measured window. The host waits for it at the edges of slices only.
class GpuWindow {
 public:
  explicit GpuWindow(CudaPlugin& plugin) : plugin_(plugin) {}

  /// Before the first slice: waits for the device and counts from here on.
  void begin();

  /// Waits for the device; the steps that were timed since begin() or the last wait. Throws
  /// std::runtime_error with CUDA's words when the device failed.
  std::vector<trial::DevicePhaseSums> wait();

  /// Of the window so far.
  trial::DeviceMemory memory() const;

 private:
  CudaPlugin& plugin_;
};

/// The GPU's side of a profiled window. Whatever goes wrong with it is a reason, never the end of
/// the window: the host's side is recorded all the same.
class GpuTrace {
 public:
  explicit GpuTrace(TraceSession& session) : session_(session) {}
  ~GpuTrace();  ///< detaches, where finish() was not reached
  GpuTrace(const GpuTrace&) = delete;
  GpuTrace& operator=(const GpuTrace&) = delete;

  /// Attaches, before the first warm-up step. Does not throw, as the others.
  void start();

  /// After the warm-up steps, and now and then between two windows: what was recorded since the
  /// last window is forgotten.
  void discard();

  /// At the end of a window that is not the last: makes room for the next one.
  void decode();

  /// Detaches. `edges` as TraceSession::finish() takes them. Nothing when there is a reason; a
  /// trace that is not valid (trace_check.h) is one.
  std::optional<DeviceTraceResult> finish(const std::vector<std::int64_t>& edges);

  /// Why there is no trace of the GPU, "" as long as there may be one.
  const std::string& reason() const { return reason_; }

 private:
  template <class Call>
  void guard(Call call);

  TraceSession& session_;
  bool is_recording_ = false;
  std::string reason_;
};

}  // namespace tune::worker
