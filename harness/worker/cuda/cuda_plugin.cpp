#include "worker/cuda/absence.h"
#include "worker/cuda/cupti_api.h"
#include "worker/cuda/cupti_session.h"
#include "worker/cuda/graph_capture.h"
#include "worker/cuda/nccl_backend.h"
#include "worker/cuda/runtime_calls.h"
#include "worker/cuda/torch_device.h"
#include "worker/cuda/torch_graph.h"

#include <exception>
#include <memory>
#include <utility>

extern "C" const tune::worker::CudaPluginEntry* tune_cuda_plugin();

namespace tune::worker {

namespace {

constexpr int kDevice = 0;  // the first that CUDA_VISIBLE_DEVICES allows
// LibTorch has no kernels for older ones: that for CUDA 12.6 begins at 5.0, for 12.8 at 7.0.
constexpr std::int64_t kOldestCompute = CUDART_VERSION >= 13000   ? 75
                                        : CUDART_VERSION >= 12080 ? 70
                                                                  : 50;

void synchronize_device() {
  require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

class LinkedPlugin final : public CudaPlugin {
 public:
  explicit LinkedPlugin(CudaFacts facts)
      : facts_(std::move(facts)), torch_graph_(make_torch_graph(facts_.device)) {}

  const CudaFacts& facts() const override { return facts_; }
  void synchronize() override { synchronize_device(); }
  void restart_memory_peaks() override { restart_allocator_peaks(facts_.device); }
  CudaMemory memory() const override {
    CudaMemory memory = read_allocator(facts_.device);
    memory.allocated_bytes += torch_graph_->held_bytes();
    memory.peak_allocated_bytes += torch_graph_->held_bytes();
    return memory;
  }
  bool lock_pages(void* begin, std::size_t bytes) override {
    return worked(cudaHostRegister(begin, bytes, cudaHostRegisterDefault));
  }
  void unlock_pages(void* begin) override { worked(cudaHostUnregister(begin)); }
  void* compute_stream() override { return current_stream(); }
  std::string connect(c10d::ProcessGroup& group) override { return connect_nccl(group); }
  DeviceTimer& timer() override { return timer_; }
  GraphDevice& graph() override { return graph_; }
  TraceSession& trace() override { return session_; }

 private:
  // An expected failure must not be left for the next call to find.
  static bool worked(cudaError_t result) {
    if (result != cudaSuccess) {
      cudaGetLastError();
    }
    return result == cudaSuccess;
  }

  CudaFacts facts_;
  CudaEvents events_;
  EventTimer timer_{events_};
  std::unique_ptr<TorchGraph> torch_graph_;
  GraphCapture graph_{*torch_graph_};
  CuptiSession session_{linked_cupti(), synchronize_device};
};

std::unique_ptr<CudaPlugin> look_for_device(Unavailable& reason) {
  int devices = 0;
  const cudaError_t counted = cudaGetDeviceCount(&devices);
  if (counted != cudaSuccess || devices == 0) {
    const cudaError_t code = counted == cudaSuccess ? cudaErrorNoDevice : counted;
    reason = why_no_device(code, "cudaGetDeviceCount", cudaGetErrorString(code));
    return nullptr;
  }
  CudaFacts facts = read_device_facts(kDevice);
  if (facts.compute_major * 10 + facts.compute_minor < kOldestCompute) {
    std::string text = facts.name + " has compute capability ";
    text += std::to_string(facts.compute_major) + "." + std::to_string(facts.compute_minor);
    text += ", LibTorch's kernels need " + std::to_string(kOldestCompute / 10) + "." +
            std::to_string(kOldestCompute % 10);
    reason = {"device_too_old", std::move(text)};
    return nullptr;
  }
  begin_torch_device();
  facts.cudnn_version = read_cudnn_version();
  std::uint32_t cupti_version = 0;
  if (linked_cupti().get_version(&cupti_version) == CUPTI_SUCCESS) {  // attaches nothing
    facts.cupti_version = cupti_version;
  }
  return std::make_unique<LinkedPlugin>(std::move(facts));
}

std::unique_ptr<CudaPlugin> make_plugin(Unavailable& reason) {
  try {
    return look_for_device(reason);
  } catch (const std::exception& error) {
    reason = {"driver_error", error.what()};
    return nullptr;
  }
}

}  // namespace
}  // namespace tune::worker

const tune::worker::CudaPluginEntry* tune_cuda_plugin() {
  static const tune::worker::CudaPluginEntry entry = {tune::worker::kCudaPluginVersion,
                                                      tune::worker::make_plugin};
  return &entry;
}
