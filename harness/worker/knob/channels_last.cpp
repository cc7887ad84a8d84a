#include "worker/knob/channels_last.h"

#include "trial/workload_catalog.h"
#include "worker/knob/knob_effect.h"

namespace tune::worker {

KnobEffect channels_last_knob();

namespace {

bool has_convolutions(const trial::TrialSpec& spec) {
  const auto* const workload = trial::find_workload(spec.workload.model);
  const bool is_own = spec.workload.own.exists();  // nobody knows; see lay_out_channels_last()
  return is_own || (workload != nullptr && workload->has_convolutions);
}

void apply_channels_last(const trial::TrialSpec& spec, StepSettings& settings) {
  const bool is_wanted = knob_setting<bool>(spec, "channels_last") && has_convolutions(spec);
  settings.layout =
      is_wanted ? StepSettings::Layout::channels_last : StepSettings::Layout::contiguous;
}

std::string why_channels_last_is_ignored(const trial::TrialSpec& spec) {
  return has_convolutions(spec) ? "" : spec.workload.model + " has no convolutions";
}

}  // namespace

KnobEffect channels_last_knob() {
  return {.name = "channels_last",
          .apply = apply_channels_last,
          .why_ignored = why_channels_last_is_ignored};
}

void lay_out_channels_last(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

}  // namespace tune::worker
