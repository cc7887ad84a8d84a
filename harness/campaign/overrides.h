#pragma once

#include "scenario/scenario.h"

#include <string>

namespace tune::campaign {

/// Changes a scenario as `tune run --set key=value` says: a knob's baseline value, or one of
/// `rounds`, `confirm_rounds`, `until`, `verify`, `slices`, `slice`, `warmup`, `trial_timeout`,
/// `budget`, `seed`, `strategy`, `confirm`, `only`, `profile`, `exhaustive`, `shard`, `grid` (none:
/// no axis), `grid.<knob>` (the axis is this one value). A grid axis of a knob else stays as it
/// is, and `until` takes the limit of `confirm_rounds` away. Throws tune::Error for an unknown key
/// or a value that does not fit; `where` is what it blames, "" the assignment as the value of
/// --set.
void apply_override(scenario::Scenario& scenario,
                    const std::string& assignment,
                    const std::string& where = "");

}  // namespace tune::campaign
