#include "worker/cuda/graph_capture.h"

namespace tune::worker {

void GraphCapture::run_aside(const std::function<void()>& work) {
  api_.enter();
  try {
    work();
  } catch (...) {
    api_.give_up();
    throw;
  }
  api_.leave();
}

void GraphCapture::capture(const std::function<void()>& work) {
  run_aside([&] {
    api_.begin_capture();
    work();
    api_.end_capture();
  });
}

}  // namespace tune::worker
