#include "csv_check.h"

#include <algorithm>
#include <utility>

namespace tune::report {

namespace {

// One record from `at` on; `at` stands behind its CRLF afterwards.
std::vector<std::string> read_record(const std::string& text,
                                     std::size_t& at,
                                     std::string& problem) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  bool was_quoted = false;  // of the field at hand
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      if (c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
        fields.back() += '"';
        ++at;
      } else if (c == '"') {
        is_quoted = false;
      } else {
        fields.back() += c;
      }
    } else if (c == '"') {
      if (!fields.back().empty() || was_quoted) {
        problem = "a quote within a field";
      }
      is_quoted = was_quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
      was_quoted = false;
    } else if (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n') {
      at += 2;
      return fields;
    } else if (c == '\r' || c == '\n' || was_quoted) {
      problem = "a line end or a text that belongs to no field";
    } else {
      fields.back() += c;
    }
  }
  problem = "the last line does not end";
  return fields;
}

}  // namespace

std::string CsvTable::field(std::size_t row, const std::string& column) const {
  const auto found = std::find(heading.begin(), heading.end(), column);
  return found == heading.end()
             ? ""
             : rows.at(row).at(static_cast<std::size_t>(found - heading.begin()));
}

CsvTable read_csv(const std::string& text) {
  CsvTable table;
  std::size_t at = 0;
  while (at < text.size() && table.problem.empty()) {
    std::vector<std::string> record = read_record(text, at, table.problem);
    if (table.heading.empty()) {
      table.heading = std::move(record);
    } else {
      if (record.size() != table.heading.size()) {
        table.problem = "row " + std::to_string(table.rows.size() + 1) + " has " +
                        std::to_string(record.size()) + " fields";
      }
      table.rows.push_back(std::move(record));
    }
  }
  return table;
}

}  // namespace tune::report
