#pragma once

#include "trial/trial_spec.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tune::worker {

/// How knobs change the way a model computes; the results stay the same.
struct ModelSettings {
  enum class Operators { fused, composed };
  enum class Activations { kept, recomputed };

  Operators operators = Operators::fused;  ///< of layer norms and attention
  /// recomputed: only the input of each block is kept for the backward pass (checkpoint.h).
  Activations activations = Activations::kept;
};

/// The effects of knobs on the steps. Other knobs act on LibTorch, on this process or on the
/// loader.
struct StepSettings {
  enum class Autocast { none, bf16, fp16 };
  enum class Layout { contiguous, channels_last };
  enum class OptimizerCall { loop, foreach, fused };
  enum class StepGraph { none, replayed };

  Autocast autocast = Autocast::none;
  Layout layout = Layout::contiguous;
  OptimizerCall optimizer_call = OptimizerCall::loop;
  StepGraph step_graph = StepGraph::none;  ///< replayed: CUDA replays one captured step
  ModelSettings model;
  std::int64_t gradient_accumulation = 1;  ///< batches per optimizer step
};

/// The effect of one knob in the worker; made by the function <name>_knob() in knob/<name>.cpp. The
/// build lists these files; they are applied in the order of their names.
struct KnobEffect {
  const char* name = "";

  /// Applies the spec's value. Throws std::invalid_argument with a sentence for the user when this
  /// machine cannot do it.
  void (*apply)(const trial::TrialSpec& spec, StepSettings& settings) = nullptr;
};

/// The spec's value of a knob; parse_trial_spec has checked that it exists and has the right type.
template <class Value>
const Value& knob_setting(const trial::TrialSpec& spec, const std::string& name) {
  const auto found = spec.knobs.find(name);
  const auto* const value =
      found == spec.knobs.end() ? nullptr : std::get_if<Value>(&found->second);
  if (value == nullptr) {
    throw std::invalid_argument("knobs." + name + ": missing or of another type");
  }
  return *value;
}

}  // namespace tune::worker
