// Sections that show what ran: operators, kernels, copies, memory, phases.

#include "report/html_parts.h"
#include "report/html_table.h"
#include "report/memory_curve.h"
#include "report/table_html.h"
#include "report/trace_sections.h"
#include "table/operator_table.h"

#include <algorithm>
#include <string_view>

namespace tune::report {

namespace {

constexpr std::size_t kFirstRows = 15;
constexpr std::size_t kMostRows = 50;

const table::Table* find(const TraceAnalysis& analysis, std::string_view id) {
  const auto found = std::find_if(analysis.tables.begin(),
                                  analysis.tables.end(),
                                  [id](const table::Table& table) { return table.id == id; });
  return found == analysis.tables.end() ? nullptr : &*found;
}

Markup begin_section(const char* title) {
  Markup html;
  html.section(title);
  return html;
}

// A few columns of the first rows, then all columns of more rows, folded.
Markup first_and_more(const table::Table& table,
                      const std::vector<std::string>& columns,
                      const std::string& caption) {
  table::Table first = table::part_of(table, columns, kFirstRows);
  first.notes.clear();
  Markup html = table_html(first, caption);
  if (table.is_applicable()) {
    table::Table more = table;
    table::keep_top(more, kMostRows);
    html.append(folded("All columns of the first " + std::to_string(more.rows.size()) + " rows",
                       table_html(more, caption + ", all columns")));
  }
  return html;
}

// The first rows of the table, or why there is none.
Markup whole(const TraceAnalysis& analysis, std::string_view id, const std::string& caption) {
  const table::Table* const found = find(analysis, id);
  if (found == nullptr) {
    return paragraph("Not known: it was not asked.");
  }
  table::Table table = *found;
  table::keep_top(table, kMostRows);
  return table_html(table, caption);
}

}  // namespace

Markup trace_operators_section(const TraceAnalysis& analysis) {
  Markup html = begin_section("Operators that take most of the host");
  if (const table::Table* const operators = find(analysis, "operators")) {
    html.append(first_and_more(table::without_steps(*operators),
                               {"name",
                                "self_cpu_time_total",
                                "self_cpu_ratio",
                                "cpu_time_total",
                                "self_device_time_total",
                                "device_time_total",
                                "count"},
                               "Operators, annotations and calls by their own time on the host"));
  }
  return html.close().line();
}

Markup trace_kernels_section(const TraceAnalysis& analysis) {
  Markup html = begin_section("Kernels that take most of the devices");
  if (const table::Table* const kernels = find(analysis, "kernels")) {
    html.append(first_and_more(
        *kernels,
        {"name", "total_time", "time_ratio", "count", "mean_time", "tensor_cores", "operator"},
        "Kernels by time, streams added up"));
  }
  return html.close().line();
}

Markup trace_copies_section(const TraceAnalysis& analysis) {
  Markup html = begin_section("Copies and fills");
  html.append(whole(analysis, "copies", "Copies by kind and pair of memories"));
  return html.close().line();
}

Markup trace_memory_section(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostPoints = 1000;
  Markup html = begin_section("Memory");
  const table::Table* const timeline = find(analysis, "memory-timeline");
  if (timeline != nullptr) {
    if (const std::vector<Markup> curves = memory_curves(*timeline); !curves.empty()) {
      html.append(figure(curves, "Filled: allocated. Dashed: reserved, where it was recorded."));
    }
  }
  html.append(whole(analysis, "memory", "Peaks by device"));
  const table::Table* const largest = find(analysis, "allocations");
  if (largest != nullptr && largest->is_applicable()) {
    html.append(
        folded("The largest allocations", whole(analysis, "allocations", "Allocations by size")));
  }
  if (timeline != nullptr && timeline->is_applicable()) {
    table::Table points = *timeline;
    table::keep_top(points, kMostPoints);
    html.append(folded("The curve in numbers", table_html(points, "Highest level of each part")));
  }
  return html.close().line();
}

Markup trace_phases_section(const TraceAnalysis& analysis) {
  Markup html = begin_section("Phases");
  html.append(whole(analysis, "phases", "What parts of the training take"));
  return html.close().line();
}

}  // namespace tune::report
