#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <cuda_runtime_api.h>

/// All that the plug-in asks of LibTorch: only torch_device.cpp sees its headers, which take the
/// compiler seconds.
namespace tune::worker {

/// Makes LibTorch look for the device and build its allocator. Throws std::exception.
void begin_torch_device();

/// The stream that operators of the calling thread go to.
cudaStream_t current_stream();

CudaMemory read_allocator(std::int64_t device);
void restart_allocator_peaks(std::int64_t device);

/// 91900 is 9.19; 0 when LibTorch finds none.
std::int64_t read_cudnn_version();

/// An address inside one of LibTorch's libraries.
const void* address_in_torch();

}  // namespace tune::worker
