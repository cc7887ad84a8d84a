#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect activation_checkpointing_knob();

namespace {

void apply_activation_checkpointing(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.model.activations = knob_setting<bool>(spec, "activation_checkpointing")
                                   ? ModelSettings::Activations::recomputed
                                   : ModelSettings::Activations::kept;
}

}  // namespace

KnobEffect activation_checkpointing_knob() {
  return {.name = "activation_checkpointing", .apply = apply_activation_checkpointing};
}

}  // namespace tune::worker
