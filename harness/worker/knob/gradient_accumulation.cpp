#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect gradient_accumulation_knob();

namespace {

void apply_gradient_accumulation(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.gradient_accumulation = knob_setting<std::int64_t>(spec, "gradient_accumulation");
}

}  // namespace

KnobEffect gradient_accumulation_knob() {
  return {.name = "gradient_accumulation", .apply = apply_gradient_accumulation};
}

}  // namespace tune::worker
