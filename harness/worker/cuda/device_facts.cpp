#include "worker/cuda/device_facts.h"

#include "machine/visible_gpus.h"
#include "worker/cuda/cuda_calls.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace tune::worker {

CudaFacts read_device_facts(int device) {
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  CudaFacts facts;
  facts.device = device;
  facts.name = properties.name;
  std::array<std::uint8_t, 16> uuid{};
  std::memcpy(uuid.data(), properties.uuid.bytes, uuid.size());
  facts.uuid = machine::gpu_uuid_text(uuid);
  facts.compute_major = properties.major;
  facts.compute_minor = properties.minor;
  facts.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  facts.multiprocessors = properties.multiProcessorCount;
  facts.warp_size = properties.warpSize;
  facts.threads_per_block = properties.maxThreadsPerBlock;
  facts.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  facts.registers_per_block = properties.regsPerBlock;
  facts.registers_per_multiprocessor = properties.regsPerMultiprocessor;
  facts.shared_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlock);
  facts.shared_per_block_optin = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  facts.shared_per_multiprocessor =
      static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  int version = 0;
  require(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  facts.driver_version = version;
  require(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  facts.runtime_version = version;
  return facts;
}

}  // namespace tune::worker
