#pragma once

#include "worker/cuda/event_timer.h"

namespace tune::worker {

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
