#include "worker/cuda/cuda_calls.h"

#include <stdexcept>
#include <string>

namespace tune::worker {

void require(cudaError_t result, const char* call) {
  if (result == cudaSuccess) {
    return;
  }
  std::string text = call;
  text += ": ";
  text += cudaGetErrorString(result);
  text += " (" + std::to_string(static_cast<int>(result)) + ")";
  throw std::runtime_error(text);
}

}  // namespace tune::worker
