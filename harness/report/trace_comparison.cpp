#include "report/trace_comparison.h"

#include "report/markdown.h"
#include "report/markup.h"
#include "report/number_text.h"
#include "report/table_text.h"
#include "report/text_table.h"

namespace tune::report {

TextTable metric_table(const std::vector<metric::Metric>& metrics) {
  TextTable table{.heading = {"metric", "value"}};
  table.rows.reserve(metrics.size());
  for (const metric::Metric& metric : metrics) {
    if (metric.is_applicable()) {
      table.rows.push_back({metric.id, share_text(*metric.value)});
    }
  }
  return table;
}

std::vector<std::string> unknown_lines(const std::vector<metric::Metric>& metrics) {
  std::vector<std::string> lines;
  lines.reserve(metrics.size());
  for (const metric::Metric& metric : metrics) {
    if (!metric.is_applicable()) {
      lines.push_back(metric.id + " is not known: " + metric.reason);
    }
  }
  return lines;
}

std::string to_lines(const TraceComparison& comparison, std::size_t width, std::size_t rows) {
  std::string text;
  for (table::Table table : comparison.tables) {
    table::keep_top(table, rows);
    text += table.is_applicable() ? table.title + "\n" : "";
    text += to_lines(table, width) + "\n";
  }
  const TextTable metrics = metric_table(comparison.metrics);
  text += metrics.rows.empty() ? "" : to_lines(metrics) + "\n";
  for (const auto& lines : {unknown_lines(comparison.metrics), comparison.remarks}) {
    for (const std::string& line : lines) {
      text += one_line(line) + "\n";
    }
  }
  return text;
}

std::string to_markdown(const TraceComparison& comparison) {
  constexpr std::size_t kMostRows = 20;
  std::string text = "# " + escape_markdown(comparison.title) + "\n\n**" +
                     escape_markdown(comparison.headline) + "**\n";
  for (table::Table table : comparison.tables) {
    table::keep_top(table, kMostRows);
    text += "\n## " + escape_markdown(table.title) + "\n\n" + to_markdown(table);
  }
  const TextTable metrics = metric_table(comparison.metrics);
  text += metrics.rows.empty() ? "" : "\n## Metrics\n\n" + to_markdown(metrics);
  std::string remarks;
  for (const auto& lines : {unknown_lines(comparison.metrics), comparison.remarks}) {
    for (const std::string& line : lines) {
      remarks += "- " + escape_markdown(line) + "\n";
    }
  }
  return text + (remarks.empty() ? "" : "\n## Remarks\n\n" + remarks);
}

}  // namespace tune::report
