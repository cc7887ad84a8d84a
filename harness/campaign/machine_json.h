#pragma once

#include "machine/machine_facts.h"
#include "trial/json_object.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::campaign {

nlohmann::json to_json(const machine::MachineFacts& facts);

/// Throws tune::Error for what is missing or of another type.
machine::MachineFacts read_machine(trial::JsonObject object);

}  // namespace tune::campaign
