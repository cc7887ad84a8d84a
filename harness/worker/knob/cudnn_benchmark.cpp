#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect cudnn_benchmark_knob();

namespace {

void apply_cudnn_benchmark(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  at::globalContext().setBenchmarkCuDNN(knob_setting<bool>(spec, "cudnn_benchmark"));
}

std::string why_cudnn_benchmark_is_ignored(const trial::TrialSpec& spec) {
  if (!spec.workload.on_gpu()) {
    return "no GPU: cuDNN computes nothing";
  }
  const auto* const workload = trial::find_workload(spec.workload.model);
  const bool may_convolve = spec.workload.own.exists();  // nobody knows
  return may_convolve || (workload != nullptr && workload->has_convolutions)
             ? ""
             : spec.workload.model + " has no convolutions";
}

}  // namespace

KnobEffect cudnn_benchmark_knob() {
  return {.name = "cudnn_benchmark",
          .apply = apply_cudnn_benchmark,
          .why_ignored = why_cudnn_benchmark_is_ignored};
}

}  // namespace tune::worker
