#pragma once

#include "trial/knob_catalog.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune {
class Fields;
}

namespace tune::trial {

/// A knob's value as JSON has it. Throws tune::Error naming file and field where it is none.
KnobValue read_knob_value(const nlohmann::json& value,
                          const std::string& where,
                          const std::string& path);
void value_of(Fields& fields, const char* name, KnobValue& value);

/// Values by their names, at most 64.
void values_of(Fields& fields, const char* name, KnobSettings& values);

/// What a plug-in declares. Throws tune::Error where the name is none of a plug-in's, or the
/// default is none of the values.
void fields_of(Fields& fields, Knob& knob);

}  // namespace tune::trial
