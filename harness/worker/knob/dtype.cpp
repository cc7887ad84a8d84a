#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect dtype_knob();

// The loader reads it: bytes, or floats that need no normalising here.
KnobEffect dtype_knob() {
  return {.name = "dtype"};
}

}  // namespace tune::worker
