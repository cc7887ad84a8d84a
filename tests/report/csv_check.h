#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tune::report {

/// What a reader of RFC 4180 sees.
struct CsvTable {
  std::string problem;  ///< the first, with its row; "" when there is none
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;

  /// The field of a row in the column of this name; "" when there is none.
  std::string field(std::size_t row, const std::string& column) const;
};

CsvTable read_csv(const std::string& text);

}  // namespace tune::report
