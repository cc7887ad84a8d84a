#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"
#include "worker/knob/knob_setting.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect sdpa_knob();

namespace {

bool has_attention(const trial::TrialSpec& spec) {
  const auto* const workload = trial::find_workload(spec.workload.model);
  return workload != nullptr && workload->has_attention;
}

// torch.nn.attention.sdpa_kernel: one back end and no other. Where it does not fit the shapes,
// LibTorch throws and the trial is refused in its words.
void apply(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const auto& word = knob_setting<std::string>(spec, "sdpa");
  if (word == "auto" || !has_attention(spec)) {
    return;
  }
  if (!spec.workload.on_gpu() && (word == "mem_efficient" || word == "cudnn")) {
    std::string text = "knobs.sdpa: " + word;
    text += " cannot be had on the CPU (it has no such kernels) flash?";
    throw std::invalid_argument(text);
  }
  at::Context& context = at::globalContext();
  context.setSDPUseFlash(word == "flash");
  context.setSDPUseMemEfficient(word == "mem_efficient");
  context.setSDPUseMath(word == "math");
  context.setSDPUseCuDNN(word == "cudnn");
}

std::string why_ignored(const trial::TrialSpec& spec) {
  return has_attention(spec) ? "" : spec.workload.model + " has no attention";
}

}  // namespace

KnobEffect sdpa_knob() {
  return {.name = "sdpa", .apply = apply, .why_ignored = why_ignored};
}

}  // namespace tune::worker
