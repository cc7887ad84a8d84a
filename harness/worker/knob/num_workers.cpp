#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect num_workers_knob();

// The loader reads it: how many threads it has.
KnobEffect num_workers_knob() {
  return {.name = "num_workers", .why_ignored = why_nothing_is_loaded};
}

}  // namespace tune::worker
