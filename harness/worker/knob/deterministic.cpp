#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

#include <cstdlib>

namespace tune::worker {

KnobEffect deterministic_knob();

namespace {

// cuBLAS requires the variable in deterministic mode.
//
// Sets everything that torch.use_deterministic_algorithms and torch.backends.*.deterministic set.
// An operator without a deterministic algorithm throws, and the trial is refused with its name.
void apply_deterministic(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const bool on = knob_setting<bool>(spec, "deterministic");
  if (on && spec.workload.on_gpu()) {
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);  // its larger choice
  }
  at::globalContext().setDeterministicAlgorithms(on, /*warn_only=*/false);
  at::globalContext().setDeterministicMkldnn(on);
  at::globalContext().setDeterministicCuDNN(on);
}

}  // namespace

KnobEffect deterministic_knob() {
  return {.name = "deterministic", .apply = apply_deterministic};
}

}  // namespace tune::worker
