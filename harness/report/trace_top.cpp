#include "report/trace_top.h"

#include "report/table_text.h"

#include <algorithm>

namespace tune::report {

namespace {

struct Overview {
  std::string table, heading;
  std::vector<std::string> columns;
};

TextTable first_rows(const table::Table& whole, const Overview& overview) {
  table::Table part;
  std::vector<std::size_t> columns;
  columns.reserve(overview.columns.size());
  part.columns.reserve(overview.columns.size());
  for (const std::string& id : overview.columns) {
    const std::size_t column = table::column_index(whole, id);
    if (column < whole.columns.size()) {
      columns.push_back(column);
      part.columns.push_back(whole.columns[column]);
    }
  }
  const std::size_t rows = std::min(kTopRows, whole.rows.size());
  part.rows.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    table::Row row;
    row.reserve(columns.size());
    for (const std::size_t column : columns) {
      row.push_back(whole.rows[i][column]);
    }
    part.rows.push_back(std::move(row));
  }
  TextTable text = printed_table(part).table;
  if (!text.heading.empty()) {
    text.heading.front() = overview.heading;
  }
  return text;
}

}  // namespace

std::vector<TextTable> top_tables(const TraceAnalysis& analysis) {
  static const std::vector<Overview> kOverviews = {
      {"operators",
       "operators that take most of the host",
       {"name", "self_cpu_time_total", "self_cpu_ratio", "self_device_time_total", "count"}},
      {"kernels",
       "kernels that take most of the device",
       {"name", "total_time", "time_ratio", "count"}}};
  std::vector<TextTable> tables;
  tables.reserve(kOverviews.size());
  for (const Overview& overview : kOverviews) {
    for (const table::Table& table : analysis.tables) {
      if (table.id == overview.table && table.is_applicable()) {
        tables.push_back(first_rows(table, overview));
      }
    }
  }
  return tables;
}

}  // namespace tune::report
