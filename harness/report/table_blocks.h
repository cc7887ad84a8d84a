#pragma once

#include "report/block.h"
#include "trace/table/table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// All rows of the table, then its remarks; long texts are cut in the middle, and the whole, up to
/// 1000 characters, is their title. Of a table that is not applicable, why.
Blocks table_blocks(const table::Table& table, const std::string& caption);

struct RowCounts {
  std::size_t first = 0;  ///< of which a few columns are shown
  std::size_t more = 0;   ///< of which all are, by a click
};

/// These columns of the first rows, then all columns of more rows, folded.
Blocks first_and_more(const table::Table& table,
                      const std::vector<std::string>& columns,
                      const RowCounts& counts,
                      const std::string& caption);

}  // namespace tune::report
