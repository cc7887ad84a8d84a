#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect in_order_knob();

// The loader reads it; a single thread has nothing to reorder.
KnobEffect in_order_knob() {
  return {.name = "in_order", .why_ignored = why_no_thread_loads};
}

}  // namespace tune::worker
