#include "worker/cuda/torch_device.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>

#include <exception>

namespace tune::worker {

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

const c10::CachingAllocator::Stat& whole(const c10::CachingAllocator::StatArray& stats) {
  return stats[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

}  // namespace

void begin_torch_device() {
  at::globalContext().lazyInitDevice(at::kCUDA);
}

cudaStream_t current_stream() {
  return c10::cuda::getCurrentCUDAStream().stream();
}

CudaMemory read_allocator(std::int64_t device) {
  const auto stats = allocator::getDeviceStats(static_cast<c10::DeviceIndex>(device));
  CudaMemory memory;
  memory.allocated_bytes = whole(stats.allocated_bytes).current;
  memory.peak_allocated_bytes = whole(stats.allocated_bytes).peak;
  memory.reserved_bytes = whole(stats.reserved_bytes).current;
  memory.peak_reserved_bytes = whole(stats.reserved_bytes).peak;
  memory.inactive_split_bytes = whole(stats.inactive_split_bytes).current;
  memory.retries = stats.num_alloc_retries;
  memory.device_allocations = stats.num_device_alloc;
  memory.device_frees = stats.num_device_free;
  memory.sync_all_streams = stats.num_sync_all_streams;
  memory.failures = stats.num_ooms;
  return memory;
}

void restart_allocator_peaks(std::int64_t device) {
  allocator::resetPeakStats(static_cast<c10::DeviceIndex>(device));
  allocator::resetAccumulatedStats(static_cast<c10::DeviceIndex>(device));
}

// If a process asked for the hooks before the plug-in was loaded, they do not know cuDNN.
std::int64_t read_cudnn_version() {
  try {
    return at::detail::getCUDAHooks().versionCuDNN();
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace tune::worker
