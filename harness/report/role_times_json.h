#pragma once

#include "trace/partition.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// {"kernel": 1000, ..., "other": 20}: whole ns by role.
nlohmann::ordered_json to_json(const profile::RoleTimes& times);

}  // namespace tune::report
