#pragma once

#include "worker/cuda/event_timer.h"
#include "worker/cuda/plugin.h"

#include <cuda_runtime_api.h>

namespace tune::worker {

/// Throws std::runtime_error "<call>: <CUDA's words> (<code>)" unless it succeeded.
void require(cudaError_t result, const char* call);

/// Calls the CUDA runtime. Throws std::runtime_error with CUDA's words.
CudaFacts read_device_facts(int device);

/// CUDA's events on LibTorch's compute stream.
class CudaEvents final : public EventApi {
 public:
  Event make() override;
  void record(Event event) override;
  bool is_done(Event event) override;
  void wait(Event event) override;
  double milliseconds(Event from, Event to) override;
};

}  // namespace tune::worker
