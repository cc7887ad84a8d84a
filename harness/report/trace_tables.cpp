// What ran: operators, kernels, copies, memory, phases.

#include "report/memory_curve.h"
#include "report/table_blocks.h"
#include "report/table_text.h"
#include "report/trace_sections.h"
#include "trace/table/operator_table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

constexpr std::size_t kFirstRows = 15;
constexpr std::size_t kMostRows = 50;
constexpr std::size_t kTopRows = 5;

const table::Table* find(const TraceAnalysis& analysis, std::string_view id) {
  const auto found = std::find_if(analysis.tables.begin(),
                                  analysis.tables.end(),
                                  [id](const table::Table& table) { return table.id == id; });
  return found == analysis.tables.end() ? nullptr : &*found;
}

// The first rows of the table, or why there is none.
Blocks whole(const TraceAnalysis& analysis, std::string_view id, const std::string& caption) {
  const table::Table* const found = find(analysis, id);
  if (found == nullptr) {
    return {{Sentence{"Not known: it was not asked."}}};
  }
  table::Table table = *found;
  table::keep_top(table, kMostRows);
  return table_blocks(table, caption);
}

struct Overview {
  std::string table, heading;
  std::vector<std::string> columns;
};

Table first_rows(const table::Table& whole, const Overview& overview) {
  Table text =
      printed_table(table::part_of(table::without_steps(whole), overview.columns, kTopRows)).table;
  if (!text.columns.empty()) {
    text.columns.front().name = overview.heading;
  }
  return text;
}

}  // namespace

std::vector<Table> top_tables(const TraceAnalysis& analysis) {
  static const std::vector<Overview> kOverviews = {
      {"operators",
       "operators that take most of the host",
       {"name", "self_cpu_time_total", "self_cpu_ratio", "self_device_time_total", "count"}},
      {"kernels",
       "kernels that take most of the device",
       {"name", "total_time", "time_ratio", "count"}}};
  std::vector<Table> tables;
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

Section trace_operators_section(const TraceAnalysis& analysis) {
  Section section{.title = "Operators that take most of the host"};
  const table::Table* const operators = find(analysis, "operators");
  return operators == nullptr
             ? section
             : section.add(first_and_more(
                   table::without_steps(*operators),
                   {"name",
                    "self_cpu_time_total",
                    "self_cpu_ratio",
                    "cpu_time_total",
                    "self_device_time_total",
                    "device_time_total",
                    "count"},
                   {.first = kFirstRows, .more = kMostRows},
                   "Operators, annotations and calls by their own time on the host"));
}

Section trace_kernels_section(const TraceAnalysis& analysis) {
  Section section{.title = "Kernels that take most of the devices"};
  const table::Table* const kernels = find(analysis, "kernels");
  return kernels == nullptr ? section
                            : section.add(first_and_more(*kernels,
                                                         {"name",
                                                          "total_time",
                                                          "time_ratio",
                                                          "count",
                                                          "mean_time",
                                                          "tensor_cores",
                                                          "operator"},
                                                         {.first = kFirstRows, .more = kMostRows},
                                                         "Kernels by time, streams added up"));
}

Section trace_copies_section(const TraceAnalysis& analysis) {
  return {.title = "Copies and fills",
          .blocks = whole(analysis, "copies", "Copies by kind and pair of memories")};
}

Section trace_memory_section(const TraceAnalysis& analysis) {
  constexpr std::size_t kMostPoints = 1000;
  Section section{.title = "Memory"};
  const table::Table* const timeline = find(analysis, "memory-timeline");
  if (timeline != nullptr) {
    if (std::vector<Markup> curves = memory_curves(*timeline); !curves.empty()) {
      section.add(
          Figure{std::move(curves), "Filled: allocated. Dashed: reserved, where it was recorded."});
    }
  }
  section.add(whole(analysis, "memory", "Peaks by device"));
  const table::Table* const largest = find(analysis, "allocations");
  if (largest != nullptr && largest->is_applicable()) {
    section.add(
        Folded{"The largest allocations", whole(analysis, "allocations", "Allocations by size")});
  }
  if (timeline != nullptr && timeline->is_applicable()) {
    table::Table points = *timeline;
    table::keep_top(points, kMostPoints);
    section.add(Folded{"The curve in numbers", table_blocks(points, "Highest level of each part")});
  }
  return section;
}

Section trace_phases_section(const TraceAnalysis& analysis) {
  return {.title = "Phases",
          .blocks = whole(analysis, "phases", "What parts of the training take")};
}

}  // namespace tune::report
