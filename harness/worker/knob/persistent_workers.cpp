#include "worker/knob/knob_effect.h"
#include "worker/knob/loader_reasons.h"

namespace tune::worker {

KnobEffect persistent_workers_knob();

// The loader reads it: whether its threads outlive an epoch.
KnobEffect persistent_workers_knob() {
  return {.name = "persistent_workers", .why_ignored = why_no_thread_loads};
}

}  // namespace tune::worker
