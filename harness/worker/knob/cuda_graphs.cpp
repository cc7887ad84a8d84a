#include "worker/knob/all_knobs.h"
#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect cuda_graphs_knob();

namespace {

// TrainingStep does it: a trial has loader, model and device before it has steps.
void apply_cuda_graphs(const trial::TrialSpec& spec, StepSettings& settings) {
  settings.step_graph = knob_setting<bool>(spec, "cuda_graphs") && can_matter(spec, "cuda_graphs")
                            ? StepSettings::StepGraph::replayed
                            : StepSettings::StepGraph::none;
}

}  // namespace

KnobEffect cuda_graphs_knob() {
  return {.name = "cuda_graphs", .apply = apply_cuda_graphs};
}

}  // namespace tune::worker
