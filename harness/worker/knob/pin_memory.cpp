#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect pin_memory_knob();

namespace {

std::string why_pin_memory_is_ignored(const trial::TrialSpec& spec) {
  return spec.workload.on_gpu() ? "" : "no GPU: batches are used where they lie";
}

}  // namespace

KnobEffect pin_memory_knob() {
  return {.name = "pin_memory", .why_ignored = why_pin_memory_is_ignored};
}

}  // namespace tune::worker
