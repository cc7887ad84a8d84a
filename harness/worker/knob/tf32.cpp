#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect tf32_knob();

namespace {

// Both setters at once keep LibTorch's two families of flags equal: setFloat32Precision alone
// leaves getters that throw. PyTorch's default, convolutions only, leaves what matmul_precision has
// set.
void apply_tf32(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const auto& word = knob_setting<std::string>(spec, "tf32");
  if (spec.workload.on_gpu() && word != "convolutions") {
    at::globalContext().setAllowTF32CuBLAS(word == "all");
    at::globalContext().setAllowTF32CuDNN(word == "all");
  }
}

}  // namespace

KnobEffect tf32_knob() {
  return {.name = "tf32", .apply = apply_tf32};
}

}  // namespace tune::worker
