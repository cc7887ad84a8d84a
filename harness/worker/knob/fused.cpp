#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect fused_knob();

namespace {

void apply_fused(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.model.operators = knob_setting<bool>(spec, "fused") ? ModelSettings::Operators::fused
                                                               : ModelSettings::Operators::composed;
}

}  // namespace

KnobEffect fused_knob() {
  return {.name = "fused", .apply = apply_fused};
}

}  // namespace tune::worker
