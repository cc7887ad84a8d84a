#pragma once

#include "trial/trial_reply.h"
#include "worker/knob/knob_effect.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::worker {

/// Names of the knobs that this worker knows, sorted.
std::vector<std::string> knob_names();

/// Puts every knob of the spec into effect. Throws std::invalid_argument with a sentence for the
/// user when one cannot be had here.
StepSettings apply_knobs(const trial::TrialSpec& spec);

/// The knobs that the spec moves away from their default although that changes nothing here, by
/// name.
std::vector<trial::IgnoredKnob> ignored_knobs(const trial::TrialSpec& spec);

/// Whether that knob may change something in the trial, whatever its value.
bool can_matter(const trial::TrialSpec& spec, std::string_view knob);

}  // namespace tune::worker
