#pragma once

#include "trial/trial_reply.h"
#include "worker/knob/knob_effect.h"

#include <string>
#include <string_view>
#include <vector>

namespace tune::worker {

/// Names of the knobs that this worker knows, sorted.
std::vector<std::string> knob_names();

/// Applies every knob of the spec. Throws std::invalid_argument with a sentence for the user when
/// one is not possible here.
StepSettings apply_knobs(const trial::TrialSpec& spec);

/// The names of knobs that the spec changes from their default although that has no effect here.
std::vector<trial::IgnoredKnob> ignored_knobs(const trial::TrialSpec& spec);

/// Whether that knob may have an effect in the trial, whatever its value.
bool can_matter(const trial::TrialSpec& spec, std::string_view knob);

}  // namespace tune::worker
