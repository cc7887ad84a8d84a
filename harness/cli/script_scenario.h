#pragma once

#include "trial/script.h"
#include "trial/trial_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tune::cli {

struct ObservedScript;

/// The command in one line, as one would type it.
std::string command_line(const trial::Script& script);

/// A few lines on what was seen: what one would want to know to be wrong before an hour of trials.
std::vector<std::string> summary_of(const ObservedScript& observed);

/// A name for the scenario of a script: "train" of "python train.py".
std::string scenario_name(const trial::Workload& workload);

/// A scenario for the script, with comments: what was seen, and a grid of what could matter on this
/// machine. `name`: of the scenario. `place`: the folder of its file, which may be committed with
/// the script: paths are then relative to it; "": all paths are absolute. `slice_ms`: of its
/// trials, where they are shorter than usual.
std::string scenario_of(const ObservedScript& observed,
                        const std::string& name,
                        const std::string& place,
                        std::optional<std::int64_t> slice_ms = std::nullopt);

}  // namespace tune::cli
