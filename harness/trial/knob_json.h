#pragma once

#include "trial/knob_catalog.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune {
class Fields;
}

namespace tune::trial {

/// A knob's value from JSON. Throws tune::Error naming file and field when it is not one.
KnobValue read_knob_value(const nlohmann::json& value,
                          const std::string& where,
                          const std::string& path);
void value_of(Fields& fields, const char* name, KnobValue& value);

/// Values by their names, at most 64.
void values_of(Fields& fields, const char* name, KnobSettings& values);

/// What a plug-in declares. Throws tune::Error when the name is not one of a plug-in's, or the
/// default is not one of the values.
void fields_of(Fields& fields, Knob& knob);

}  // namespace tune::trial
