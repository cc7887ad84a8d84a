#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect prefetch_factor_knob();

// The loader reads it: batches ahead, of the ring in total, of torch::data::DataLoader per thread.
KnobEffect prefetch_factor_knob() {
  return {.name = "prefetch_factor", .why_ignored = why_no_thread_loads};
}

}  // namespace tune::worker
