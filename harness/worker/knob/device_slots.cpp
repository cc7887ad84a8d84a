#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect device_slots_knob();

namespace {

// DeviceInput reads it.
std::string why_device_slots_is_ignored(const trial::TrialSpec& spec) {
  return spec.workload.on_gpu() ? "" : "no GPU: batches are used where they lie";
}

}  // namespace

KnobEffect device_slots_knob() {
  return {.name = "device_slots", .why_ignored = why_device_slots_is_ignored};
}

}  // namespace tune::worker
