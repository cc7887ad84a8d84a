#pragma once

#include "worker/cuda/plugin.h"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

namespace tune::worker {

/// A step that a CUDA graph cannot hold; what() is a sentence for the user.
class CaptureRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Decides what a training step does with the knob cuda_graphs.
///
/// The first steps run as they are, on the graph's stream: in them libraries load kernels, allocate
/// workspaces and, with cudnn_benchmark, try algorithms, which a graph must not contain. The next
/// one is captured; it and all later ones are replayed.
///
/// A graph reads and writes the same memory each time, so it is for one shape, that of the first
/// batch. Batches of another shape, such as an epoch's smaller last one, run as they are: leaving
/// them out would change what an epoch trains on.
class StepGraph {
 public:
  /// The sizes of all tensors of a batch.
  using Shape = std::vector<std::int64_t>;

  /// What a step consists of.
  struct Parts {
    std::function<void()> plain;     ///< the whole step, as it is without a graph
    std::function<void()> fill;      ///< brings the batch to where the captured step reads it
    std::function<void()> captured;  ///< forward, backward and optimizer from there
  };

  /// PyTorch's own examples run as many before they capture.
  static constexpr int kStepsAside = 3;
  /// So many steps of other shapes before there is a graph mean that there will be none.
  static constexpr int kMostOthers = 64;

  explicit StepGraph(GraphDevice& device) : device_(device) {}

  /// Runs a step. True: it was replayed.
  ///
  /// Throws CaptureRefused when it cannot be captured; what a plain step throws, as it is.
  bool run(const Shape& shape, const Parts& parts);

  /// Whether the steps still differ from those to come.
  bool is_warming_up() const { return !is_captured_; }

 private:
  void run_another(const Parts& parts);
  void capture(const Parts& parts);

  GraphDevice& device_;
  Shape shape_;  ///< of the first batch
  int aside_ = 0, others_ = 0;
  bool is_captured_ = false;
};

}  // namespace tune::worker
