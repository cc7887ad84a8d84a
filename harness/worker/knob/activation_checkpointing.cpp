#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect activation_checkpointing_knob();

namespace {

bool has_blocks(const trial::TrialSpec& spec) {
  const auto* const workload = trial::find_workload(spec.workload.model);
  return workload != nullptr && workload->has_blocks;
}

void apply_activation_checkpointing(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.model.activations = knob_setting<bool>(spec, "activation_checkpointing")
                                   ? ModelSettings::Activations::recomputed
                                   : ModelSettings::Activations::kept;
}

std::string why_activation_checkpointing_is_ignored(const trial::TrialSpec& spec) {
  if (spec.workload.own.exists()) {
    return "the model is the user's own, tune does not know its blocks";
  }
  if (!has_blocks(spec)) {
    return spec.workload.model + " has no blocks";
  }
  return spec.workload.task == "train" ? "" : "nothing is trained, so that no activation is kept";
}

}  // namespace

KnobEffect activation_checkpointing_knob() {
  return {.name = "activation_checkpointing",
          .apply = apply_activation_checkpointing,
          .why_ignored = why_activation_checkpointing_is_ignored};
}

}  // namespace tune::worker
