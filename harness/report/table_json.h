#pragma once

#include "trace/table/table.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tune::report {

/// {id, title, columns: [{id, title, unit}], rows: [{<column id>: value}], notes, left_out,
/// reason}: times in seconds, sizes in bytes, ratios 0-1, null where nothing is known; rows and
/// columns are empty when there is a reason.
nlohmann::ordered_json to_json(const table::Table& table);

/// An array of tables, each with its first 1000 rows: what follows says nothing that they do not.
nlohmann::ordered_json to_json(const std::vector<table::Table>& tables);

}  // namespace tune::report
