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

/// A range of the training thread, repeated on a stream: from the first to the last of the work
/// that was launched inside it.
struct DeviceAnnotation {
  std::size_t row = 0;  ///< index in TraceRows::rows
  std::string name;
  std::uint32_t device = 0, stream = 0;
  std::int64_t start_ns = 0, end_ns = 0;
};

/// What a GPU did in the windows of a trace, joined with what the host did.
struct DeviceSide {
  CudaFacts gpu;
  DeviceTrace trace;  ///< rows that lie inside a window
  /// By correlation: the innermost operator in which the call was made, index in TraceRows::rows.
  std::unordered_map<std::uint32_t, std::size_t> operators;
  std::vector<DeviceAnnotation> annotations;  ///< by start

  /// Rows that are written of it.
  std::int64_t count() const;

  /// At least as much as their JSON will have.
  std::int64_t json_bytes_at_most() const;
};

/// Calls and operators are joined by thread and time, for the numbers that threads attach to their
/// calls do not reach the threads of autograd. Ranges of the training thread count for all threads,
/// which work for it.
DeviceSide join_device(DeviceTrace trace,
                       const CudaFacts& gpu,
                       const Recording& recording,
                       const TraceRows& rows,
                       const std::vector<TraceWindow>& windows);

/// Blocks of the grid for each multiprocessor of the device; 0 when it has none. "blocks per SM" of
/// Kineto, whose "warps per SM" is that times the warps of a block.
double blocks_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu);
double warps_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu);

/// Blocks of the kernel that fit into a multiprocessor at once, by its threads, registers and
/// shared memory: the calculation of NVIDIA's occupancy calculator (CUDA C++ Programming Guide,
/// "Compute Capabilities"), without barriers and clusters. 0: not even one, or the device does not
/// say.
std::int64_t blocks_at_once(const KernelRow& kernel, const CudaFacts& gpu);

/// "est. achieved occupancy %" as Kineto estimates it: 100 x min(blocks at once, blocks per
/// multiprocessor) x threads of a block / most threads of a multiprocessor, rounded; at most 100.
std::int64_t occupancy_percent(const KernelRow& kernel, const CudaFacts& gpu);

}  // namespace tune::worker
