#include "worker/cuda/cuda_events.h"

#include "worker/cuda/cuda_calls.h"
#include "worker/cuda/torch_device.h"

namespace tune::worker {

namespace {

cudaEvent_t as_event(EventApi::Event event) {
  return static_cast<cudaEvent_t>(event);
}

}  // namespace

EventApi::Event CudaEvents::make() {
  cudaEvent_t event = nullptr;
  require(cudaEventCreateWithFlags(&event, cudaEventDefault), "cudaEventCreateWithFlags");
  return event;
}

void CudaEvents::record(Event event) {
  require(cudaEventRecord(as_event(event), current_stream()), "cudaEventRecord");
}

// A failure is no answer; wait() will say it.
bool CudaEvents::is_done(Event event) {
  return cudaEventQuery(as_event(event)) == cudaSuccess;
}

void CudaEvents::wait(Event event) {
  require(cudaEventSynchronize(as_event(event)), "cudaEventSynchronize");
}

double CudaEvents::milliseconds(Event from, Event to) {
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, as_event(from), as_event(to)),
          "cudaEventElapsedTime");
  return static_cast<double>(milliseconds);
}

}  // namespace tune::worker
