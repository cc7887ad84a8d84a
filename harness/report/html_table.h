#pragma once

#include "report/markup.h"
#include "report/ranked_table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// A table with caption and scopes; wide ones scroll in a region that the keyboard reaches.
struct HtmlTable {
  std::string caption;
  std::vector<RankedTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t heading = 0;                 ///< the column that names its row
  std::vector<std::string> row_classes{};  ///< for comfort only; may be shorter than rows
  /// By row and column: what a cell that was cut says in full, "" where it was not; may be shorter
  /// than rows.
  std::vector<std::vector<std::string>> wholes{};
};

Markup html_table(const HtmlTable& table);

/// Rows that a page lists of what may be many; result.json has all of them.
constexpr std::size_t kMostListed = 500;

/// "99,500 more settings are in result.json."; nothing where none was left out.
Markup rest_in_json(std::size_t left_out, const std::string& singular);

/// A paragraph.
Markup paragraph(const std::string& text, const std::string& css_class = "");

}  // namespace tune::report
