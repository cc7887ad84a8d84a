#include "worker/knob/amp.h"

#include "worker/knob/all_knobs.h"
#include "worker/knob/knob_effect.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace tune::worker {

KnobEffect amp_knob();

namespace {

using Autocast = StepSettings::Autocast;

void apply_amp(const trial::TrialSpec& spec, StepSettings& settings) {
  const auto& amp = knob_setting<std::string>(spec, "amp");
  if (!can_matter(spec, "amp")) {
    settings.autocast = Autocast::none;
    return;
  }
  settings.autocast = amp == "bf16"   ? Autocast::bf16
                      : amp == "fp16" ? Autocast::fp16
                                      : Autocast::none;
  if (settings.autocast == Autocast::fp16 && !spec.workload.on_gpu() && !has_fp16_units()) {
    throw std::invalid_argument(
        "knobs.amp: fp16 is not available on this CPU (it has no float16 arithmetic), bf16?");
  }
}

}  // namespace

KnobEffect amp_knob() {
  return {.name = "amp", .apply = apply_amp};
}

AutocastGuard::AutocastGuard(Autocast autocast, c10::DeviceType device)
    : device_(device), active_(autocast != Autocast::none) {
  if (!active_) {
    return;
  }
  was_enabled_ = at::autocast::is_autocast_enabled(device_);
  was_cached_ = at::autocast::is_autocast_cache_enabled();
  old_dtype_ = at::autocast::get_autocast_dtype(device_);
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, autocast == Autocast::bf16 ? at::kBFloat16 : at::kHalf);
  at::autocast::increment_nesting();
  at::autocast::set_autocast_cache_enabled(true);
}

AutocastGuard::~AutocastGuard() {
  if (!active_) {
    return;
  }
  if (at::autocast::decrement_nesting() == 0) {
    at::autocast::clear_cache();
  }
  at::autocast::set_autocast_enabled(device_, was_enabled_);
  at::autocast::set_autocast_dtype(device_, old_dtype_);
  at::autocast::set_autocast_cache_enabled(was_cached_);
}

namespace {

bool ask(const char* question) {
  const auto schema = c10::Dispatcher::singleton().findSchema({question, ""});
  return schema && schema->typed<bool()>().call();
}

}  // namespace

bool has_bf16_units() {
  return ask("mkldnn::_is_mkldnn_bf16_supported");
}

bool has_fp16_units() {
  return ask("mkldnn::_is_mkldnn_fp16_supported");
}

}  // namespace tune::worker
