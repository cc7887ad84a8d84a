#pragma once

#include "worker/cuda/graph_capture.h"

#include <cstdint>
#include <memory>

namespace tune::worker {

/// LibTorch's CUDAGraph, whose allocations are from a pool of its own.
class TorchGraph : public GraphApi {
 public:
  /// Memory that only replays use: the allocator counts it as free, but nothing else can have it.
  virtual std::int64_t held_bytes() const = 0;
};

/// LibTorch must have been started on this device (torch_device.h).
std::unique_ptr<TorchGraph> make_torch_graph(std::int64_t device);

}  // namespace tune::worker
