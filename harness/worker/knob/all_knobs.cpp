#include "worker/knob/all_knobs.h"

#include "trial/knob_relevance.h"

#include <algorithm>
#include <array>

namespace tune::worker {

// The build generates this list from the files next to this one, sorted by name. The order matters:
// cpu_affinity comes before intra_op_threads, which counts the remaining CPUs and is the first to
// start threads; flush_denormal, which those threads inherit, also comes before it;
// matmul_precision comes before tf32, which sets the same switches.
const std::vector<KnobEffect>& all_effects();

namespace {

// Loader and DeviceInput read these themselves (data/loader_options.h, step_input.h).
constexpr std::array<const char*, 12> kReadInPlace = {"batch_size",
                                                      "decode",
                                                      "device_slots",
                                                      "dtype",
                                                      "in_order",
                                                      "loader",
                                                      "non_blocking",
                                                      "num_workers",
                                                      "persistent_workers",
                                                      "pin_memory",
                                                      "prefetch_factor",
                                                      "worker_nice"};

std::vector<trial::IgnoredKnob> idle_knobs(const trial::TrialSpec& spec) {
  static const trial::KnobSettings defaults = trial::default_settings();
  return trial::idle_knobs({.settings = spec.knobs,
                            .usual = defaults,
                            .workload = spec.workload,
                            .data_source = spec.data.source,
                            .on_cpu = !spec.workload.on_gpu()});
}

}  // namespace

std::vector<std::string> knob_names() {
  std::vector<std::string> names(kReadInPlace.begin(), kReadInPlace.end());
  for (const KnobEffect& effect : all_effects()) {
    names.emplace_back(effect.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

StepSettings apply_knobs(const trial::TrialSpec& spec) {
  StepSettings settings;
  for (const KnobEffect& effect : all_effects()) {
    effect.apply(spec, settings);
  }
  return settings;
}

std::vector<trial::IgnoredKnob> ignored_knobs(const trial::TrialSpec& spec) {
  std::vector<trial::IgnoredKnob> ignored = idle_knobs(spec);
  std::erase_if(ignored, [&](const trial::IgnoredKnob& knob) {
    const auto setting = spec.knobs.find(knob.name);
    const trial::Knob* const known = trial::find_knob(knob.name);  // none of a variable
    return setting == spec.knobs.end() ||
           (known != nullptr && setting->second == known->default_value);
  });
  std::sort(
      ignored.begin(), ignored.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return ignored;
}

bool can_matter(const trial::TrialSpec& spec, std::string_view knob) {
  const std::vector<trial::IgnoredKnob> idle = idle_knobs(spec);
  return std::none_of(
      idle.begin(), idle.end(), [&](const trial::IgnoredKnob& each) { return each.name == knob; });
}

}  // namespace tune::worker
