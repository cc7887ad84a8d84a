#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

#include <stdexcept>

namespace tune::worker {

KnobEffect flush_denormal_knob();

namespace {

// Applies to this thread and to those that it starts later, so it is set first.
void apply_flush_denormal(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const bool on = knob_setting<bool>(spec, "flush_denormal");
  if (!at::globalContext().setFlushDenormal(on) && on) {
    throw std::invalid_argument("flush_denormal: this CPU cannot flush denormal numbers to zero");
  }
}

}  // namespace

KnobEffect flush_denormal_knob() {
  return {.name = "flush_denormal", .apply = apply_flush_denormal};
}

}  // namespace tune::worker
