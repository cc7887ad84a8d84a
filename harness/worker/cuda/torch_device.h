#pragma once

#include "worker/cuda/plugin.h"

#include <cuda_runtime_api.h>

#include <cstdint>

/// What the plug-in needs from LibTorch: only torch_*.cpp include its headers, which take seconds
/// to compile.
namespace tune::worker {

/// Makes LibTorch find the device and create its allocator. Throws std::exception.
void begin_torch_device();

/// The stream on which operators of the calling thread run.
cudaStream_t current_stream();

CudaMemory read_allocator(std::int64_t device);
void restart_allocator_peaks(std::int64_t device);

/// 91900 is 9.19; 0 when LibTorch finds none.
std::int64_t read_cudnn_version();

}  // namespace tune::worker
