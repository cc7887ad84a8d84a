#include "worker/knob/channels_last.h"

#include "worker/knob/all_knobs.h"

namespace tune::worker {

KnobEffect channels_last_knob();

namespace {

void apply_channels_last(const trial::TrialSpec& spec, StepSettings& settings) {
  const bool is_wanted =
      knob_setting<bool>(spec, "channels_last") && can_matter(spec, "channels_last");
  settings.layout =
      is_wanted ? StepSettings::Layout::channels_last : StepSettings::Layout::contiguous;
}

}  // namespace

KnobEffect channels_last_knob() {
  return {.name = "channels_last", .apply = apply_channels_last};
}

void lay_out_channels_last(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

}  // namespace tune::worker
