#pragma once

#include "trace/table/operator_groups.h"
#include "trace/table/table.h"
#include "trace/table/table_input.h"

#include <string>
#include <vector>

namespace tune::table {

/// Names of all tables, in the order of a report.
const std::vector<std::string>& table_names();

/// The table of that name, which must be one of table_names(). `by` is for operators.
Table make_table(const TableInput& input, const std::string& name, const GroupBy& by = {});

/// All of them, those that are not applicable too.
std::vector<Table> all_tables(const TableInput& input);

}  // namespace tune::table
