#pragma once

#include "trial/knob_catalog.h"

#include <map>
#include <string>
#include <string_view>

namespace tune::trial {

/// A variable of the trial's environment is a knob as well: `environment.OMP_PROC_BIND`. Scenarios
/// may write it as `environment: {OMP_PROC_BIND: [none, close]}`.
constexpr std::string_view kEnvironmentKnob = "environment.";

/// The value with which the variable stays as the shell of `tune` has it.
constexpr std::string_view kVariableAsItIs = "none";

/// "environment." and a name as POSIX has it: letters, digits and _, no digit first; at most 128.
bool is_environment_knob(std::string_view name);

/// Why a trial cannot be given this variable ("the agent comes in through it"), or "".
std::string why_not_set(std::string_view variable);

/// Why the value cannot be one of a variable ("must have at most 4096 bytes"), or "".
std::string value_complaint(std::string_view value);

/// Those of the settings that are variables.
KnobSettings environment_knobs(const KnobSettings& settings);

/// Variable -> value, of those that are set: OMP_PROC_BIND -> close.
std::map<std::string, std::string> variables_of(const KnobSettings& settings);

/// What a scenario may set that no catalogue knows: a variable, or a plug-in's knob.
bool is_knob_of_the_user(std::string_view name);

/// A knob of the catalogue, or one of the user.
bool is_knob(std::string_view name);

}  // namespace tune::trial
