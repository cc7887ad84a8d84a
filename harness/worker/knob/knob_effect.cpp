#include "worker/knob/knob_effect.h"

namespace tune::worker {

std::string why_nothing_is_loaded(const trial::TrialSpec& spec) {
  if (spec.data.source == "plugin") {
    return "the plug-in makes its own batches";
  }
  if (spec.data.source == "synthetic") {
    return "synthetic batches are resident: nothing is loaded";
  }
  const bool is_mapped = spec.data.source == "generated-tokens" || spec.data.source == "token-bin";
  return is_mapped ? "tokens are read through a memory map by the training thread" : "";
}

std::string why_no_thread_loads(const trial::TrialSpec& spec) {
  std::string reason = why_nothing_is_loaded(spec);
  if (!reason.empty()) {
    return reason;
  }
  return knob_setting<std::int64_t>(spec, "num_workers") == 0
             ? "num_workers is 0: the training thread loads"
             : "";
}

}  // namespace tune::worker
