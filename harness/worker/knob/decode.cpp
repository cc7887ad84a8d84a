#include "worker/knob/knob_effect.h"
#include "worker/knob/loader_reasons.h"

namespace tune::worker {

KnobEffect decode_knob();

// The loader reads it: how much of a JPEG is decoded.
KnobEffect decode_knob() {
  return {.name = "decode", .why_ignored = why_nothing_is_loaded};
}

}  // namespace tune::worker
