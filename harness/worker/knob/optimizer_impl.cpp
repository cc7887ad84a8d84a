#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect optimizer_impl_knob();

namespace {

using Call = StepSettings::OptimizerCall;

// The three are worker/optimizer/{loop,foreach,fused}.cpp.
void apply_optimizer_impl(const trial::TrialSpec& spec, StepSettings& settings) {
  const auto& word = knob_setting<std::string>(spec, "optimizer_impl");
  settings.optimizer_call = word == "fused"     ? Call::fused
                            : word == "foreach" ? Call::foreach
                                                : Call::loop;
}

}  // namespace

KnobEffect optimizer_impl_knob() {
  return {.name = "optimizer_impl", .apply = apply_optimizer_impl};
}

}  // namespace tune::worker
