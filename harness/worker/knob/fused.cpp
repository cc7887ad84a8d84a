#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect fused_knob();

namespace {

bool has_attention(const trial::TrialSpec& spec) {
  const auto* const workload = trial::find_workload(spec.workload.model);
  return workload != nullptr && workload->has_attention;
}

void apply_fused(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.model.operators = knob_setting<bool>(spec, "fused") ? ModelSettings::Operators::fused
                                                               : ModelSettings::Operators::composed;
}

std::string why_fused_is_ignored(const trial::TrialSpec& spec) {
  if (spec.workload.own.exists()) {
    return "the model is the user's own, only those of tune can be composed";
  }
  return has_attention(spec) ? "" : spec.workload.model + " has neither attention nor layer norms";
}

}  // namespace

KnobEffect fused_knob() {
  return {.name = "fused", .apply = apply_fused, .why_ignored = why_fused_is_ignored};
}

}  // namespace tune::worker
