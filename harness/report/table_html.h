#pragma once

#include "report/markup.h"
#include "report/text_table.h"
#include "table/table.h"

#include <string>

namespace tune::report {

/// All rows of the table, then its remarks; long texts are cut in the middle, and the whole, up to
/// 1000 characters, is their title. Of a table that is not applicable, why.
Markup table_html(const table::Table& table, const std::string& caption);

Markup table_html(const TextTable& table, const std::string& caption);

}  // namespace tune::report
