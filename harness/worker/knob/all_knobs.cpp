#include "worker/knob/all_knobs.h"

#include "trial/knob_catalog.h"

#include <algorithm>

namespace tune::worker {

// clang-format off
KnobEffect cpu_affinity_knob();        // first: threads inherit it
KnobEffect intra_op_threads_knob();    // counts the CPUs that are left
KnobEffect flush_denormal_knob();      // likewise
KnobEffect activation_checkpointing_knob();
KnobEffect amp_knob();
KnobEffect batch_size_knob();
KnobEffect channels_last_knob();
KnobEffect cudnn_benchmark_knob();
KnobEffect decode_knob();
KnobEffect deterministic_knob();
KnobEffect device_slots_knob();
KnobEffect dtype_knob();
KnobEffect fused_knob();
KnobEffect gradient_accumulation_knob();
KnobEffect in_order_knob();
KnobEffect loader_knob();
KnobEffect matmul_precision_knob();
KnobEffect non_blocking_knob();
KnobEffect num_workers_knob();
KnobEffect optimizer_impl_knob();
KnobEffect persistent_workers_knob();
KnobEffect pin_memory_knob();
KnobEffect prefetch_factor_knob();
KnobEffect sdpa_knob();
KnobEffect tf32_knob();                // after matmul_precision, whose switches it sets
KnobEffect worker_nice_knob();
// clang-format on

namespace {

// In the order in which they are applied.
const std::vector<KnobEffect>& all_effects() {
  static const std::vector<KnobEffect> effects = {
      cpu_affinity_knob(),
      flush_denormal_knob(),
      intra_op_threads_knob(),
      activation_checkpointing_knob(),
      amp_knob(),
      batch_size_knob(),
      channels_last_knob(),
      cudnn_benchmark_knob(),
      decode_knob(),
      deterministic_knob(),
      device_slots_knob(),
      dtype_knob(),
      fused_knob(),
      gradient_accumulation_knob(),
      in_order_knob(),
      loader_knob(),
      matmul_precision_knob(),
      non_blocking_knob(),
      num_workers_knob(),
      optimizer_impl_knob(),
      persistent_workers_knob(),
      pin_memory_knob(),
      prefetch_factor_knob(),
      sdpa_knob(),
      tf32_knob(),
      worker_nice_knob(),
  };
  return effects;
}

bool is_default(const trial::TrialSpec& spec, const KnobEffect& effect) {
  const trial::Knob* const knob = trial::find_knob(effect.name);
  const auto found = spec.knobs.find(effect.name);
  return knob == nullptr || found == spec.knobs.end() || found->second == knob->default_value;
}

}  // namespace

std::vector<std::string> knob_names() {
  std::vector<std::string> names;
  for (const KnobEffect& effect : all_effects()) {
    names.emplace_back(effect.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

StepSettings apply_knobs(const trial::TrialSpec& spec) {
  StepSettings settings;
  for (const KnobEffect& effect : all_effects()) {
    if (effect.apply != nullptr) {
      effect.apply(spec, settings);
    }
  }
  return settings;
}

std::vector<trial::IgnoredKnob> ignored_knobs(const trial::TrialSpec& spec) {
  std::vector<trial::IgnoredKnob> ignored;
  for (const KnobEffect& effect : all_effects()) {
    if (effect.why_ignored == nullptr || is_default(spec, effect)) {
      continue;
    }
    if (std::string reason = effect.why_ignored(spec); !reason.empty()) {
      ignored.push_back({effect.name, std::move(reason)});
    }
  }
  return ignored;
}

}  // namespace tune::worker
