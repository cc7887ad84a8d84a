#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

#include <stdexcept>

namespace tune::worker {

KnobEffect flush_denormal_knob();

namespace {

// Of this thread, and of those that it starts later: set before any does.
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
