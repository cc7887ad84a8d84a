#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect cudnn_benchmark_knob();

namespace {

void apply_cudnn_benchmark(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  at::globalContext().setBenchmarkCuDNN(knob_setting<bool>(spec, "cudnn_benchmark"));
}

}  // namespace

KnobEffect cudnn_benchmark_knob() {
  return {.name = "cudnn_benchmark", .apply = apply_cudnn_benchmark};
}

}  // namespace tune::worker
