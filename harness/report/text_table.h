#pragma once

#include <string>
#include <vector>

namespace tune::report {

/// Texts in rows and columns: the first column names its row, the others are numbers.
struct TextTable {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
  bool last_is_text = false;  ///< the last column is a remark, not a number
};

/// Aligned with spaces, one line a row.
std::string to_lines(const TextTable& table);

/// As a Markdown table.
std::string to_markdown(const TextTable& table);

}  // namespace tune::report
