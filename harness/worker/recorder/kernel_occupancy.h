#pragma once

#include "worker/cuda/device_row.h"
#include "worker/cuda/plugin.h"

#include <cstdint>

namespace tune::worker {

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
