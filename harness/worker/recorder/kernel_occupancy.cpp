#include "worker/recorder/kernel_occupancy.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tune::worker {

namespace {

template <class Number>
std::int64_t product(const std::array<Number, 3>& sizes) {
  return static_cast<std::int64_t>(sizes[0]) * sizes[1] * sizes[2];
}

std::int64_t rounded_up(std::int64_t number, std::int64_t unit) {
  return (number + unit - 1) / unit * unit;
}

// "Maximum number of resident blocks per SM" of the guide.
std::int64_t most_blocks(const CudaFacts& gpu) {
  const std::int64_t capability = gpu.compute_major * 10 + gpu.compute_minor;
  switch (capability) {
    case 75:
    case 86:
    case 87:
      return 16;
    case 89:
    case 120:
    case 121:
      return 24;
    default:
      return 32;
  }
}

std::int64_t by_registers(const KernelRow& kernel, const CudaFacts& gpu, std::int64_t warps) {
  constexpr std::int64_t kUnit = 256;      // registers are given to warps in such portions
  constexpr std::int64_t kPartitions = 4;  // of a multiprocessor, each with a quarter of them
  if (kernel.registers <= 0) {
    return most_blocks(gpu);
  }
  const std::int64_t of_warp = rounded_up(kernel.registers * gpu.warp_size, kUnit);
  const std::int64_t in_partition = gpu.registers_per_multiprocessor / kPartitions / of_warp;
  return in_partition * kPartitions / warps;
}

std::int64_t by_shared_memory(const KernelRow& kernel, const CudaFacts& gpu) {
  constexpr std::int64_t kUnit = 128;
  const std::int64_t kept_by_system = gpu.compute_major >= 8 ? 1'024 : 0;  // of each block
  const std::int64_t asked =
      static_cast<std::int64_t>(kernel.static_shared) + kernel.dynamic_shared;
  const std::int64_t of_block = rounded_up(asked + kept_by_system, kUnit);
  return of_block == 0 ? most_blocks(gpu) : gpu.shared_per_multiprocessor / of_block;
}

}  // namespace

double blocks_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu) {
  return gpu.multiprocessors <= 0
             ? 0
             : static_cast<double>(product(kernel.grid)) / static_cast<double>(gpu.multiprocessors);
}

double warps_per_multiprocessor(const KernelRow& kernel, const CudaFacts& gpu) {
  return gpu.warp_size <= 0
             ? 0
             : blocks_per_multiprocessor(kernel, gpu) * static_cast<double>(product(kernel.block)) /
                   static_cast<double>(gpu.warp_size);
}

std::int64_t blocks_at_once(const KernelRow& kernel, const CudaFacts& gpu) {
  const std::int64_t threads = product(kernel.block);
  if (threads <= 0 || gpu.warp_size <= 0) {
    return 0;
  }
  const std::int64_t warps = rounded_up(threads, gpu.warp_size) / gpu.warp_size;
  const std::int64_t by_threads = gpu.threads_per_multiprocessor / gpu.warp_size / warps;
  return std::min({most_blocks(gpu),
                   by_threads,
                   by_registers(kernel, gpu, warps),
                   by_shared_memory(kernel, gpu)});
}

std::int64_t occupancy_percent(const KernelRow& kernel, const CudaFacts& gpu) {
  constexpr double kPercent = 100;
  if (gpu.threads_per_multiprocessor <= 0) {
    return 0;
  }
  const double blocks = std::min(static_cast<double>(blocks_at_once(kernel, gpu)),
                                 blocks_per_multiprocessor(kernel, gpu));
  const double share = blocks * static_cast<double>(product(kernel.block)) /
                       static_cast<double>(gpu.threads_per_multiprocessor);
  return std::llround(kPercent * std::min(share, 1.0));
}

}  // namespace tune::worker
