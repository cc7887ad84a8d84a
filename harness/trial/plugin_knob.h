#pragma once

#include "trial/knob_value.h"

#include <string>
#include <string_view>

namespace tune::trial {

/// A knob `width` that the user's plug-in declares is `plugin.width` in scenarios, cells and
/// expressions: it cannot hide a knob of the catalogue, nor can one that comes later hide it.
constexpr std::string_view kPluginKnob = "plugin.";

/// "plugin." and small letters, digits and _, a letter first.
bool is_plugin_knob(std::string_view name);

/// Those of the settings that are a plug-in's, and the others.
KnobSettings plugin_knobs(const KnobSettings& settings);
KnobSettings catalogue_knobs(const KnobSettings& settings);

/// Why `value` cannot stand in the place of `usual`, whose type a plug-in's knob has as long as
/// nobody has asked the plug-in ("must be a whole number, as in the baseline"); "" when it can.
std::string type_complaint(const KnobValue& usual, const KnobValue& value);

}  // namespace tune::trial
