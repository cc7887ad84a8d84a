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

/// The GPU's work in the measured window. The host waits for it only at the edges of slices.
class GpuWindow {
 public:
  explicit GpuWindow(CudaPlugin& plugin) : plugin_(plugin) {}

  /// Before the first slice: waits for the device and starts counting.
  void begin();

  /// Waits for the device; returns the steps timed since begin() or the last wait. Throws
  /// std::runtime_error with CUDA's words when the device failed.
  std::vector<trial::DevicePhaseSums> wait();

  /// For the window so far.
  trial::DeviceMemory memory() const;

  /// Exposed communication in the steps so far, a part of their backward phase.
  std::int64_t communication_ns() const { return communication_ns_; }

 private:
  CudaPlugin& plugin_;
  std::int64_t communication_ns_ = 0;
};

/// The GPU's side of a profiled window. Whatever goes wrong with it becomes a reason and never ends
/// the window: the host's side is recorded anyway.
class GpuTrace {
 public:
  explicit GpuTrace(TraceSession& session) : session_(session) {}
  ~GpuTrace();  ///< detaches if finish() was not reached
  GpuTrace(const GpuTrace&) = delete;
  GpuTrace& operator=(const GpuTrace&) = delete;

  /// Attaches, before the first warm-up step. Does not throw, like the other functions.
  void start();

  /// After the warm-up steps, and occasionally between two windows: discards what was recorded
  /// since the last window.
  void discard();

  /// At the end of a window except the last: makes room for the next one.
  void decode();

  /// Detaches. `edges` as TraceSession::finish() takes them. Nothing when there is a reason; an
  /// invalid trace (trace_check.h) is one.
  std::optional<DeviceTraceResult> finish(const std::vector<std::int64_t>& edges);

  /// Why there is no trace of the GPU; "" while one is still possible.
  const std::string& reason() const { return reason_; }

 private:
  template <class Call>
  void guard(Call call);

  TraceSession& session_;
  bool is_recording_ = false;
  std::string reason_;
};

}  // namespace tune::worker
