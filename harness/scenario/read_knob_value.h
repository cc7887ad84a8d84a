#pragma once

#include "scenario/complaints.h"
#include "scenario/yaml_node.h"
#include "trial/knob_catalog.h"

#include <optional>

namespace tune::scenario {

/// The value that is written for a knob; nothing, and a complaint, when it does not fit.
std::optional<trial::KnobValue> read_knob_value(const trial::Knob& knob,
                                                const YamlNode& node,
                                                Complaints& complaints);

}  // namespace tune::scenario
