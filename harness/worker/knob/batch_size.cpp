#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect batch_size_knob();

// The loader reads it: samples in a batch.
KnobEffect batch_size_knob() {
  return {.name = "batch_size"};
}

}  // namespace tune::worker
