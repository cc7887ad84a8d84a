#pragma once

#include "worker/cuda/plugin.h"

#include <array>
#include <cstdint>
#include <string>

namespace tune::worker {

/// Asks the CUDA runtime. Throws std::runtime_error with CUDA's words.
CudaFacts read_device_facts(int device);

/// "GPU-" and the bytes as NVML and nvidia-smi write them.
std::string uuid_text(const std::array<std::uint8_t, 16>& bytes);

}  // namespace tune::worker
