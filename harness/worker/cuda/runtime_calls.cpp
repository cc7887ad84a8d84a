#include "worker/cuda/runtime_calls.h"

#include "machine/gpu_driver.h"
#include "worker/cuda/torch_device.h"

#include <array>
#include <cstdint>
#include <cstring>
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

// A failure is not an answer; wait() will report it.
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
