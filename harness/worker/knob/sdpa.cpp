#include "trial/workload_catalog.h"
#include "worker/knob/all_knobs.h"

#include <ATen/Context.h>

namespace tune::worker {

KnobEffect sdpa_knob();

namespace {

bool drops_weights(const trial::TrialSpec& spec) {
  return !spec.workload.own.exists() && spec.workload.task == "train" &&
         trial::real_param(spec.workload, "attention_dropout") > 0;
}

void refuse(const std::string& word, const char* why, const char* suggestion) {
  std::string text = "knobs.sdpa: " + word;
  text += " is not available on the CPU (";
  text += why;
  text += ") ";
  text += suggestion;
  text += "?";
  throw std::invalid_argument(text);
}

// torch.nn.attention.sdpa_kernel: exactly one backend. When it does not support the shapes,
// LibTorch throws and the trial is refused in its words.
void apply_sdpa(const trial::TrialSpec& spec, StepSettings& /*settings*/) {
  const auto& word = knob_setting<std::string>(spec, "sdpa");
  if (word == "auto" || !can_matter(spec, "sdpa")) {
    return;
  }
  const bool on_cpu = !spec.workload.on_gpu();
  if (on_cpu && (word == "mem_efficient" || word == "cudnn")) {
    refuse(word, "it has no such kernels", "flash");
  }
  if (on_cpu && word == "flash" && drops_weights(spec)) {
    refuse(word, "its kernel has no dropout", "workload.params.attention_dropout: 0");
  }
  at::Context& context = at::globalContext();
  context.setSDPUseFlash(word == "flash");
  context.setSDPUseMemEfficient(word == "mem_efficient");
  context.setSDPUseMath(word == "math");
  context.setSDPUseCuDNN(word == "cudnn");
}

}  // namespace

KnobEffect sdpa_knob() {
  return {.name = "sdpa", .apply = apply_sdpa};
}

}  // namespace tune::worker
