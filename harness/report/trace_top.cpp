#include "report/trace_top.h"

#include "report/table_text.h"
#include "table/operator_table.h"

namespace tune::report {

namespace {

struct Overview {
  std::string table, heading;
  std::vector<std::string> columns;
};

TextTable first_rows(const table::Table& whole, const Overview& overview) {
  TextTable text =
      printed_table(table::part_of(table::without_steps(whole), overview.columns, kTopRows)).table;
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
