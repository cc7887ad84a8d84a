#pragma once

#include "table/table.h"

#include <nlohmann/json_fwd.hpp>

namespace tune::report {

/// {id, title, columns: [{id, title, unit}], rows: [{<column id>: value}], notes, left_out,
/// reason}: times in seconds, sizes in bytes, ratios 0-1, null where nothing is known; rows and
/// columns are empty when there is a reason.
nlohmann::ordered_json to_json(const table::Table& table);

}  // namespace tune::report
