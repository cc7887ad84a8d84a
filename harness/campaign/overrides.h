#pragma once

#include "scenario/scenario.h"

#include <string>

namespace tune::campaign {

/// Changes a scenario as `tune run --set key=value` says: a knob's baseline value, or one of
/// `rounds`, `confirm_rounds`, `slices`, `slice`, `warmup`, `trial_timeout`, `budget`, `seed`,
/// `strategy`, `confirm`, `only`, `profile`, `exhaustive`. A grid axis of a knob stays as it is. Throws
/// tune::Error for an unknown key or a value that does not fit.
void apply_override(scenario::Scenario& scenario, const std::string& assignment);

}  // namespace tune::campaign
