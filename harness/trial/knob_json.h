#pragma once

#include "trial/knob_value.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tune::trial {

/// A knob's value as JSON has it. Throws tune::Error naming file and field where it is none.
KnobValue read_knob_value(const nlohmann::json& value,
                          const std::string& where,
                          const std::string& path);

}  // namespace tune::trial
