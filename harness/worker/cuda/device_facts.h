#pragma once

#include "worker/cuda/plugin.h"

namespace tune::worker {

/// Asks the CUDA runtime. Throws std::runtime_error with CUDA's words.
CudaFacts read_device_facts(int device);

}  // namespace tune::worker
