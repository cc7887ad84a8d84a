#pragma once

#include "trial/trial_reply.h"
#include "worker/knob/knob_effect.h"

#include <string>
#include <vector>

namespace tune::worker {

/// Names of the knobs that this worker knows, sorted.
std::vector<std::string> knob_names();

/// Puts every knob of the spec into effect, those first that must precede the first thread. Throws
/// std::invalid_argument with a sentence for the user when one cannot be had here.
StepSettings apply_knobs(const trial::TrialSpec& spec);

/// The knobs that the spec moves away from their default although that changes nothing here.
std::vector<trial::IgnoredKnob> ignored_knobs(const trial::TrialSpec& spec);

}  // namespace tune::worker
