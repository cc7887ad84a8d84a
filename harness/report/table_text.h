#pragma once

#include "report/block.h"
#include "trace/table/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// Without a limit on width.
constexpr std::size_t kAnyWidth = 0;

/// The table as texts of one line each; long names are cut in the middle, where they differ least.
/// Above `width` columns the most expendable ones go first, and a line of the remarks names them.
struct PrintedTable {
  Table table;
  std::vector<std::string>
      remarks;  ///< rows and columns that were left out, then the table's notes
};
PrintedTable printed_table(const table::Table& table, std::size_t width = kAnyWidth);

/// Table and remarks for a terminal, without its title: what prints several sets them apart. Of a
/// table that is not applicable its title and why.
std::string to_lines(const table::Table& table, std::size_t width = kAnyWidth);

/// The same in Markdown, without a heading.
std::string to_markdown(const table::Table& table);

}  // namespace tune::report
