#pragma once

#include "trial/device_report.h"
#include "worker/cuda/plugin.h"

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

}  // namespace tune::worker
