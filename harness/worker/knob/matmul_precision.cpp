#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect matmul_precision_knob();

namespace {

// Sets both flag families of LibTorch at once: setFloat32Precision alone leaves getters that throw.
// On a CPU it decides whether oneDNN may compute float32 matrix products in bfloat16 (medium).
void apply_matmul_precision(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  at::globalContext().setFloat32MatmulPrecision(
      knob_setting<std::string>(spec, "matmul_precision"));
}

}  // namespace

KnobEffect matmul_precision_knob() {
  return {.name = "matmul_precision", .apply = apply_matmul_precision};
}

}  // namespace tune::worker
