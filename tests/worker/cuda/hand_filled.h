#pragma once

#include "worker/cuda/cupti_records.h"

#include <cstdint>

/// Records as CUPTI would write them.
namespace tune::worker {

template <class Record>
const CUpti_Activity& as_record(const Record& record) {
  return *reinterpret_cast<const CUpti_Activity*>(&record);
}

inline KernelRecord a_kernel(std::uint64_t start, std::uint64_t end) {
  KernelRecord kernel{};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = "_Z7add_onePf";
  kernel.start = start;
  kernel.end = end;
  kernel.deviceId = 1;
  kernel.contextId = 2;
  kernel.streamId = 7;
  kernel.correlationId = 640;
  kernel.gridX = 8;
  kernel.gridY = 16;
  kernel.gridZ = 1;
  kernel.blockX = 256;
  kernel.blockY = 1;
  kernel.blockZ = 1;
  kernel.registersPerThread = 96;
  kernel.staticSharedMemory = 1024;
  kernel.dynamicSharedMemory = 48'128;
  return kernel;
}

inline CUpti_ActivityAPI a_launch(std::uint64_t start,
                                  std::uint64_t end,
                                  std::uint32_t correlation = 640) {
  CUpti_ActivityAPI call{};
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  call.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
  call.start = start;
  call.end = end;
  call.processId = 412;
  call.threadId = 413;
  call.correlationId = correlation;
  return call;
}

}  // namespace tune::worker
