#include "worker/knob/knob_effect.h"
#include "worker/knob/loader_reasons.h"

namespace tune::worker {

KnobEffect loader_knob();

// make_loader reads it: which loader is made.
KnobEffect loader_knob() {
  return {.name = "loader", .why_ignored = why_nothing_is_loaded};
}

}  // namespace tune::worker
