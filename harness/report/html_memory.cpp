// The section of report.html about the device: memory, operators, kernels, numbers of the trace.

#include "base/units.h"
#include "report/head_room.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/html_sections.h"
#include "report/html_table.h"
#include "report/memory_curve.h"
#include "report/number_text.h"
#include "report/table_html.h"
#include "report/trace_text.h"
#include "report/trial_steps.h"
#include "table/operator_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::ProfiledCell;
using Align = RankedTable::Align;

constexpr std::size_t kFirstRows = 10;

std::vector<std::string> memory_row(const CellResult& cell, std::int64_t limit) {
  const std::string name = one_line(cell.cell.id);
  if (!cell.peak_memory_bytes) {
    return {name, "not measured", "", ""};
  }
  const std::int64_t peak = *cell.peak_memory_bytes;
  if (limit <= 0) {
    return {name, format_bytes(peak), "limit not known", ""};
  }
  return {name,
          format_bytes(peak),
          share_text(static_cast<double>(peak) / static_cast<double>(limit)),
          peak <= limit ? format_bytes(limit - peak) : "none"};
}

std::string out_of_memory_text(const CampaignResult& result) {
  const auto count =
      std::count_if(result.cells.begin(), result.cells.end(), [](const CellResult& cell) {
        return cell.outcome == runner::name(runner::OutcomeKind::out_of_memory);
      });
  return count == 0 ? ""
                    : counted(count, "setting") +
                          " ran out of memory: they stand among the settings with their reason.";
}

Markup memory_part(const CampaignResult& result) {
  const std::int64_t limit = memory_limit_bytes(result);
  HtmlTable table{
      .caption = std::string("Peak memory in the measured window, and what was left of ") +
                 memory_owner(result) + (limit > 0 ? " (" + format_bytes(limit) + ")" : ""),
      .columns = {{"cell"},
                  {"peak", Align::right},
                  {"of the limit", Align::right},
                  {"head-room", Align::right}}};
  for (const CellResult* const cell : baseline_and_best(result)) {
    table.rows.push_back(memory_row(*cell, limit));
  }
  Markup html;
  if (table.rows.empty()) {
    return html.append(paragraph("Not measured: no trial of the baseline completed."));
  }
  html.append(html_table(table));
  if (const std::string text = out_of_memory_text(result); !text.empty()) {
    html.append(paragraph(text));
  }
  return html;
}

// LibTorch's allocator, of the last telling trial of each setting that computed on a GPU.
Markup allocator_part(const CampaignResult& result) {
  HtmlTable table{.caption = "LibTorch's memory on the GPU, in the measured window of one trial",
                  .columns = {{"cell"},
                              {"allocated, most", Align::right},
                              {"reserved, most", Align::right},
                              {"lost in fragments", Align::right},
                              {"retries", Align::right},
                              {"calls of the driver", Align::right}}};
  for (const CellResult* const cell : baseline_and_best(result)) {
    std::optional<trial::DeviceMemory> memory;
    for (const campaign::TrialRecord* const trial : telling_trials(result, *cell)) {
      memory = trial->outcome.reply->device_memory;
    }
    if (memory) {
      table.rows.push_back({one_line(cell->cell.id),
                            format_bytes(memory->peak_allocated_bytes),
                            format_bytes(memory->peak_reserved_bytes),
                            format_bytes(memory->inactive_split_bytes),
                            std::to_string(memory->retries),
                            std::to_string(memory->device_allocations)});
    }
  }
  return table.rows.empty() ? Markup() : html_table(table);
}

std::vector<const ProfiledCell*> recorded_cells(const CampaignResult& result) {
  std::vector<const ProfiledCell*> recorded;
  for (const CellResult* const cell : baseline_and_best(result)) {
    for (const ProfiledCell& profile : result.profiles) {
      if (profile.cell == cell->cell.id && profile.trace) {
        recorded.push_back(&profile);
      }
    }
  }
  return recorded;
}

const table::Table* find_table(const ProfiledCell& cell, std::string_view id) {
  const auto found = std::find_if(cell.trace->tables.begin(),
                                  cell.trace->tables.end(),
                                  [id](const table::Table& table) { return table.id == id; });
  return found == cell.trace->tables.end() || !found->is_applicable() ? nullptr : &*found;
}

Markup curves_part(const ProfiledCell& cell, std::size_t index) {
  const table::Table* const timeline = find_table(cell, "memory-timeline");
  const auto curves = timeline == nullptr
                          ? std::vector<Markup>()
                          : memory_curves(*timeline, "memory-" + std::to_string(index));
  return curves.empty()
             ? Markup()
             : figure(curves,
                      "Memory over the recorded steps of " + one_line(cell.cell) +
                          ". Filled: allocated. Dashed: reserved, where it was recorded.");
}

// A few columns of the first rows; all columns of more rows open by a click.
Markup rows_part(const ProfiledCell& cell,
                 std::string_view id,
                 const std::vector<std::string>& columns,
                 const std::string& caption,
                 std::size_t most) {
  const table::Table* const found = find_table(cell, id);
  if (found == nullptr || found->rows.empty()) {
    return {};
  }
  const table::Table whole = id == "operators" ? table::without_steps(*found) : *found;
  table::Table first = table::part_of(whole, columns, kFirstRows);
  first.notes.clear();
  table::Table more = whole;
  table::keep_top(more, most);
  Markup html = table_html(first, caption);
  return html.append(
      folded("All columns of the first " + std::to_string(more.rows.size()) + " rows",
             table_html(more, caption + ", all columns")));
}

Markup device_tables(const ProfiledCell& cell, std::size_t most) {
  const std::string of = " of " + one_line(cell.cell) + ", over the recorded steps";
  Markup html = rows_part(cell,
                          "kernels",
                          {"name", "total_time", "time_ratio", "count", "mean_time", "operator"},
                          "Kernels by time" + of,
                          most);
  if (find_table(cell, "operators") != nullptr) {
    html.append(folded(
        "Operators" + of,
        rows_part(
            cell,
            "operators",
            {"name", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "count"},
            "Operators and annotations by their own time on the host" + of,
            most)));
  }
  return html;
}

// Every number of the recorded steps that some shown setting has.
Markup metrics_part(const std::vector<const ProfiledCell*>& cells) {
  HtmlTable table{.caption = "Numbers of the recorded steps", .columns = {{"metric"}}};
  std::map<std::string, std::vector<std::string>> rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    table.columns.push_back({one_line(cells[i]->cell), Align::right});
    for (const metric::Metric& metric : cells[i]->trace->metrics) {
      if (metric.is_applicable()) {
        std::vector<std::string>& row = rows[metric.id];
        row.resize(cells.size(), "not known");
        row[i] = value_text(metric);
      }
    }
  }
  for (const auto& [id, texts] : rows) {
    std::vector<std::string> row = {one_line(id)};
    row.insert(row.end(), texts.begin(), texts.end());
    table.rows.push_back(std::move(row));
  }
  return table.rows.empty()
             ? Markup()
             : folded("All numbers of the recorded steps: " + std::to_string(table.rows.size()),
                      html_table(table));
}

}  // namespace

Markup memory_section(const CampaignResult& result, const PageDetail& detail) {
  Markup html;
  html.section("Device and memory");
  html.append(memory_part(result));
  html.append(allocator_part(result));
  const auto recorded = recorded_cells(result);
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    html.append(curves_part(*recorded[i], i));
  }
  for (const ProfiledCell* const cell : recorded) {
    html.append(device_tables(*cell, detail.table_rows));
  }
  html.append(metrics_part(recorded));
  if (recorded.empty()) {
    html.append(
        paragraph("Operators, kernels and the curve of memory need recorded steps: this run "
                  "has none of the baseline or the best setting (--profile best).",
                  "quiet"));
  }
  return html.close().line();
}

}  // namespace tune::report
