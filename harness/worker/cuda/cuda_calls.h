#pragma once

#include <cuda_runtime_api.h>

namespace tune::worker {

/// Throws std::runtime_error "<call>: <CUDA's words> (<code>)" unless it succeeded.
void require(cudaError_t result, const char* call);

}  // namespace tune::worker
