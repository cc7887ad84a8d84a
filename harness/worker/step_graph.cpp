#include "worker/step_graph.h"

#include "worker/failure.h"

#include <exception>
#include <string>

namespace tune::worker {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw CaptureRefused("knobs.cuda_graphs: the step cannot be captured (" + why + ") false?");
}

// LibTorch adds where it was thrown, and CUDA how to debug it.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

bool StepGraph::run(const Shape& shape, const Parts& parts) {
  if (shape_.empty()) {
    shape_ = shape;
  }
  if (shape != shape_) {
    run_another(parts);
    return false;
  }
  if (!is_captured_ && aside_ < kStepsAside) {
    ++aside_;
    device_.run_aside(parts.plain);
    return false;
  }
  parts.fill();
  if (!is_captured_) {
    capture(parts);
  }
  device_.replay();  // also the step that was captured: capturing computes nothing
  return true;
}

void StepGraph::run_another(const Parts& parts) {
  if (!is_captured_ && ++others_ > kMostOthers) {
    refuse("the shapes of batches differ, and a graph is for one");
  }
  parts.plain();
}

void StepGraph::capture(const Parts& parts) {
  try {
    device_.capture(parts.captured);
  } catch (const std::exception& error) {
    if (says_out_of_memory(error.what())) {
      throw;
    }
    refuse(first_line(error.what()));
  }
  is_captured_ = true;
}

}  // namespace tune::worker
