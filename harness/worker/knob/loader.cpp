#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect loader_knob();

// make_loader reads it: which loader is made.
KnobEffect loader_knob() {
  return {.name = "loader", .why_ignored = why_nothing_is_loaded};
}

}  // namespace tune::worker
