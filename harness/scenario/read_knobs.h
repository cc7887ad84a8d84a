#pragma once

#include "scenario/complaints.h"
#include "scenario/scenario.h"
#include "scenario/yaml_node.h"
#include "trial/knob_catalog.h"

#include <optional>
#include <string>

namespace tune::scenario {

/// Whatever value is written; nothing for lists, maps and what is empty, of which the schema
/// complains.
std::optional<trial::KnobValue> to_knob_value(const YamlNode& node);

/// The value that is written for a knob; nothing, and a complaint, when it does not fit.
std::optional<trial::KnobValue> read_knob_value(const trial::Knob& knob,
                                                const YamlNode& node,
                                                Complaints& complaints);

/// The value that is written for a knob of the user's plug-in, which nobody has asked yet: true or
/// false, a whole number or a word; nothing, and a complaint, for anything else.
std::optional<trial::KnobValue> read_plugin_value(const std::string& name,
                                                  const YamlNode& node,
                                                  Complaints& complaints);

/// What `--only` says: an expression over the names that a `forbid` may use. Throws tune::Error
/// with everything that is wrong with it. `settings`:
/// those of the baseline, among which the knobs of a plug-in are.
Forbid read_only(const std::string& text, const trial::KnobSettings& settings = {});

}  // namespace tune::scenario
