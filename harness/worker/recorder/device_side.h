#pragma once

#include "worker/cuda/device_row.h"
#include "worker/cuda/plugin.h"
#include "worker/recorder/recording.h"
#include "worker/recorder/trace_rows.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tune::worker {

/// A range of the training thread, projected onto a stream: from the first to the last work
/// launched inside it.
struct DeviceAnnotation {
  std::size_t row = 0;  ///< index in TraceRows::rows
  std::string name;
  std::uint32_t device = 0, stream = 0;
  std::int64_t start_ns = 0, end_ns = 0;
};

/// The work of a GPU in the windows of a trace, linked to the work of the host.
struct DeviceSide {
  CudaFacts gpu;
  DeviceTrace trace;  ///< rows that lie inside a window
  /// By correlation: the innermost operator that made the call, as index in TraceRows::rows.
  std::unordered_map<std::uint32_t, std::size_t> operators;
  std::vector<DeviceAnnotation> annotations;  ///< by start

  /// Rows that are written for it.
  std::int64_t count() const;

  /// Upper bound for the size of their JSON.
  std::int64_t json_bytes_at_most() const;
};

/// Links calls and operators by thread and time, because the ids that threads attach to their calls
/// do not reach the threads of autograd. Ranges of the training thread apply to all threads, which
/// work for it.
DeviceSide join_device(DeviceTrace trace,
                       const CudaFacts& gpu,
                       const Recording& recording,
                       const TraceRows& rows,
                       const std::vector<TraceWindow>& windows);

/// Blocks of the grid per multiprocessor of the device; 0 when it has none. "blocks per SM" of
/// Kineto, whose "warps per SM" is that times the warps of a block.
double blocks_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu);
double warps_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu);

/// Blocks of the kernel that fit into a multiprocessor at once, given its threads, registers and
/// shared memory: the formula of NVIDIA's occupancy calculator (CUDA C++ Programming Guide,
/// "Compute Capabilities"), without barriers and clusters. 0: none fits, or the device does not
/// report its limits.
std::int64_t blocks_at_once(const KernelRow& kernel, const CudaFacts& gpu);

/// "est. achieved occupancy %" as Kineto estimates it: 100 x min(blocks at once, blocks per
/// multiprocessor) x threads of a block / most threads of a multiprocessor, rounded; at most 100.
std::int64_t occupancy_percent(const KernelRow& kernel, const CudaFacts& gpu);

}  // namespace tune::worker
