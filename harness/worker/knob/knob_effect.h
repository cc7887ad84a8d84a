#pragma once

#include "trial/trial_spec.h"
#include "worker/workload/model_settings.h"

#include <cstdint>
#include <string>

namespace tune::worker {

/// What knobs decide for the steps. The others act on LibTorch, on this process or on the loader.
struct StepSettings {
  enum class Autocast { none, bf16, fp16 };
  enum class Layout { contiguous, channels_last };
  enum class OptimizerCall { loop, foreach, fused };

  Autocast autocast = Autocast::none;
  Layout layout = Layout::contiguous;
  OptimizerCall optimizer_call = OptimizerCall::loop;
  ModelSettings model;
  std::int64_t gradient_accumulation = 1;  ///< batches of one step of the optimizer
};

/// What one knob does in the worker; made by the function <name>_knob() of knob/<name>.cpp.
struct KnobEffect {
  const char* name = "";

  /// Puts the spec's value into effect. Null when loader or DeviceInput read the knob by themselves
  /// (data/loader_options.h, device_input.h). Throws std::invalid_argument with a sentence for the
  /// user when this machine cannot do it.
  void (*apply)(const trial::TrialSpec& spec, StepSettings& settings) = nullptr;

  /// Why a value other than the default changes nothing in this trial; "" when it does change
  /// something. Null: it always does.
  std::string (*why_ignored)(const trial::TrialSpec& spec) = nullptr;
};

}  // namespace tune::worker
