#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect worker_nice_knob();

// The loader reads it and applies it to its threads.
KnobEffect worker_nice_knob() {
  return {.name = "worker_nice", .why_ignored = why_no_thread_loads};
}

}  // namespace tune::worker
