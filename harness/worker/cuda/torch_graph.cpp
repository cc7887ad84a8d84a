#include "worker/cuda/torch_graph.h"

#include "worker/cuda/runtime_calls.h"
#include "worker/cuda/torch_device.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdio>
#include <exception>
#include <optional>

namespace tune::worker {

namespace {

using c10::cuda::CUDAStream;

// What is launched on `later` from here on starts when `first` has done what was launched on it. An
// event may be destroyed while a stream waits for it. LibTorch's own event includes cuda_fp16.h,
// which needs a package of CUDA that nothing else here does.
void order(const CUDAStream& first, const CUDAStream& later) {
  cudaEvent_t event = nullptr;
  require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  const cudaError_t recorded = cudaEventRecord(event, first);
  const cudaError_t waits = cudaStreamWaitEvent(later, event, 0);
  (void)cudaEventDestroy(event);
  require(recorded, "cudaEventRecord");
  require(waits, "cudaStreamWaitEvent");
}

class Graph final : public TorchGraph {
 public:
  explicit Graph(std::int64_t device) : device_(device) {}

  void enter() override {
    if (!stream_) {  // one for all, since libraries keep their workspaces by stream
      stream_ = c10::cuda::getStreamFromPool(/*isHighPriority=*/false,
                                             static_cast<c10::DeviceIndex>(device_));
    }
    order(c10::cuda::getCurrentCUDAStream(), *stream_);
    on_stream_.emplace(*stream_);
  }

  void leave() override {
    on_stream_.reset();
    order(*stream_, c10::cuda::getCurrentCUDAStream());
  }

  // As torch.cuda.graph does: what earlier steps left in the cache would double the memory.
  void begin_capture() override {
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    c10::cuda::CUDACachingAllocator::emptyCache();
    restart_allocator_peaks(device_);
    graph_.emplace();
    is_capturing_ = true;
    // Threads of the loader may lock pages meanwhile, which the global mode forbids.
    graph_->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
  }

  void end_capture() override {
    is_capturing_ = false;
    graph_->capture_end();
    const CudaMemory memory = read_allocator(device_);
    held_bytes_ = memory.peak_allocated_bytes - memory.allocated_bytes;
  }

  void replay() override { graph_->replay(); }

  void give_up() noexcept override {
    try {
      if (is_capturing_) {
        is_capturing_ = false;
        graph_->capture_end();
      }
    } catch (const std::exception& error) {  // the capture is invalid, which its step has reported
      (void)std::fprintf(stderr, "the capture that failed: %s\n", error.what());
    }
    cudaGetLastError();  // must not be left for the next call to find
    on_stream_.reset();
  }

  std::int64_t held_bytes() const override { return held_bytes_; }

 private:
  std::int64_t device_, held_bytes_ = 0;
  std::optional<CUDAStream> stream_;
  std::optional<c10::cuda::CUDAStreamGuard> on_stream_;
  std::optional<at::cuda::CUDAGraph> graph_;
  bool is_capturing_ = false;
};

}  // namespace

std::unique_ptr<TorchGraph> make_torch_graph(std::int64_t device) {
  return std::make_unique<Graph>(device);
}

}  // namespace tune::worker
