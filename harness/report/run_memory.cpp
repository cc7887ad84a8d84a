// The device: memory, operators, kernels, numbers of the trace.

#include "base/units.h"
#include "measure/campaign/measured_facts.h"
#include "report/head_room.h"
#include "report/headline.h"
#include "report/memory_curve.h"
#include "report/number_text.h"
#include "report/run_sections.h"
#include "report/table_blocks.h"
#include "report/trial_steps.h"
#include "trace/table/operator_table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::CellResult;
using campaign::ProfiledCell;
using Align = Table::Align;

constexpr std::size_t kFirstRows = 10;

/// What a trial may use at most, and whose it is.
struct MemoryLimit {
  std::int64_t bytes = 0;  ///< 0: not known
  const char* owner = "";
};

// A result.json does not say how much memory a GPU has.
MemoryLimit memory_limit(const Run& run) {
  if (run.directory != nullptr) {
    return {memory_limit_bytes(*run.directory), memory_owner(*run.directory)};
  }
  const result::Environment& environment = run.result.environment;
  return environment.device == "cpu" ? MemoryLimit{environment.memory_limit_bytes.count.value_or(0),
                                                   "the machine or its cgroup"}
                                     : MemoryLimit{0, "the GPU"};
}

std::optional<std::int64_t> peak_bytes(const result::Result& result, const result::Cell& cell) {
  for (const result::Metric& metric : result.metrics) {
    if (metric.id == "peak_memory_bytes" && metric.cell == cell.id &&
        metric.window == cell.window && metric.number.value) {
      constexpr double kMostBytes = 9e18;  // a file may say anything
      return std::llround(std::clamp(*metric.number.value, 0.0, kMostBytes));
    }
  }
  return std::nullopt;
}

std::vector<std::string> memory_row(const std::string& cell,
                                    std::optional<std::int64_t> peak,
                                    std::int64_t limit) {
  if (!peak) {
    return {cell, "not measured", "", ""};
  }
  if (limit <= 0) {
    return {cell, format_bytes(*peak), "limit not known", ""};
  }
  return {cell,
          format_bytes(*peak),
          share_text(static_cast<double>(*peak) / static_cast<double>(limit)),
          *peak <= limit ? format_bytes(limit - *peak) : "none"};
}

void add_out_of_memory(const result::Result& result, Section& section) {
  const auto count =
      std::count_if(result.cells.begin(), result.cells.end(), [](const result::Cell& cell) {
        return cell.outcome == runner::name(runner::OutcomeKind::out_of_memory);
      });
  if (count > 0) {
    section.add(Sentence{counted(count, "setting") +
                         " ran out of memory: they stand among the settings with their reason."});
  }
}

void add_memory(const Run& run, Section& section) {
  const MemoryLimit limit = memory_limit(run);
  Table table{.caption = std::string("Peak memory in the measured window, and what was left of ") +
                         limit.owner +
                         (limit.bytes > 0 ? " (" + format_bytes(limit.bytes) + ")" : ""),
              .columns = {{"cell"},
                          {"peak", Align::right},
                          {"of the limit", Align::right},
                          {"head-room", Align::right}}};
  for (const result::Cell* const cell : baseline_and_best(run.result)) {
    table.rows.push_back(
        memory_row(one_line(cell->id), peak_bytes(run.result, *cell), limit.bytes));
  }
  if (table.rows.empty()) {
    section.add(Sentence{"Not measured: no trial of the baseline completed."});
    return;
  }
  section.add(std::move(table));
  add_out_of_memory(run.result, section);
}

// LibTorch's allocator, of the last trial that counts of each setting that computed on a GPU.
void add_allocator(const CampaignResult& result, Section& section) {
  Table table{.caption = "LibTorch's memory on the GPU, in the measured window of one trial",
              .columns = {{"setting"},
                          {"allocated, most", Align::right},
                          {"reserved, most", Align::right},
                          {"lost in fragments", Align::right},
                          {"retries", Align::right},
                          {"calls of the driver", Align::right}}};
  for (const CellResult* const cell : baseline_and_best(result)) {
    std::optional<trial::DeviceMemory> memory;
    for (const campaign::TrialRecord* const trial : campaign::window_trials(result, *cell)) {
      memory = trial->outcome.reply->device_memory;
    }
    if (memory) {
      table.rows.push_back({drawn_name(result, cell->cell.id),
                            format_bytes(memory->peak_allocated_bytes),
                            format_bytes(memory->peak_reserved_bytes),
                            format_bytes(memory->inactive_split_bytes),
                            std::to_string(memory->retries),
                            std::to_string(memory->device_allocations)});
    }
  }
  if (!table.rows.empty()) {
    section.add(std::move(table));
  }
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

void add_curves(const ProfiledCell& cell,
                const std::string& setting,
                std::size_t index,
                Section& section) {
  const table::Table* const timeline = find_table(cell, "memory-timeline");
  auto curves = timeline == nullptr ? std::vector<Markup>()
                                    : memory_curves(*timeline, "memory-" + std::to_string(index));
  if (!curves.empty()) {
    section.add(Figure{std::move(curves),
                       "Memory over the recorded steps, " + setting +
                           ". Filled: allocated. Dashed: reserved, where it was recorded."});
  }
}

// A few columns of the first rows; all columns of more rows open by a click.
Blocks rows_of(const ProfiledCell& cell,
               std::string_view id,
               const std::vector<std::string>& columns,
               const std::string& caption,
               std::size_t most) {
  const table::Table* const found = find_table(cell, id);
  if (found == nullptr || found->rows.empty()) {
    return {};
  }
  const table::Table whole = id == "operators" ? table::without_steps(*found) : *found;
  return first_and_more(whole, columns, {.first = kFirstRows, .more = most}, caption);
}

void add_device_tables(const ProfiledCell& cell,
                       const std::string& setting,
                       std::size_t most,
                       Section& section) {
  const std::string of = " over the recorded steps, " + setting;
  section.add(rows_of(cell,
                      "kernels",
                      {"name", "total_time", "time_ratio", "count", "mean_time", "operator"},
                      "Kernels by time" + of,
                      most));
  if (find_table(cell, "operators") != nullptr) {
    section.add(Folded{
        "Operators" + of,
        rows_of(
            cell,
            "operators",
            {"name", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "count"},
            "Operators and annotations by their own time on the host" + of,
            most)});
  }
}

std::vector<const result::Profile*> recorded_profiles(const result::Result& result) {
  std::vector<const result::Profile*> recorded;
  for (const result::Cell* const cell : baseline_and_best(result)) {
    for (const result::Profile& profile : result.profiles) {
      if (profile.cell == cell->id && !profile.metrics.empty()) {
        recorded.push_back(&profile);
      }
    }
  }
  return recorded;
}

// Every number of the recorded steps that some shown setting has.
void add_metrics(const result::Result& result, Section& section) {
  const std::vector<const result::Profile*> profiles = recorded_profiles(result);
  Table table{.caption = "Numbers of the profiled window, whose steps recording slows",
              .columns = {{"metric"}}};
  std::map<std::string, std::vector<std::string>> rows;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    table.columns.push_back({drawn_name(result, profiles[i]->cell), Align::right});
    for (const result::Metric& metric : profiles[i]->metrics) {
      if (metric.number.value) {
        std::vector<std::string>& row = rows[metric.id];
        row.resize(profiles.size(), "not known");
        row[i] = value_text(*metric.number.value, metric.number.unit);
      }
    }
  }
  for (const auto& [id, texts] : rows) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{one_line(id)});
    row.insert(row.end(), texts.begin(), texts.end());
  }
  if (!table.rows.empty()) {
    const std::string summary =
        "All numbers of the profiled window: " + std::to_string(table.rows.size());
    section.add(Folded{summary, {{std::move(table)}}});
  }
  if (profiles.empty()) {
    section.add(
        Sentence{.text = "Operators, kernels and the curve of memory need recorded steps: this run "
                         "has none of the baseline or the best setting (--profile best).",
                 .is_quiet = true});
  }
}

}  // namespace

Section run_memory_section(const Run& run, const PageDetail& detail) {
  Section section{.title = "Device and memory"};
  add_memory(run, section);
  if (run.directory != nullptr) {
    add_allocator(*run.directory, section);
    const auto recorded = recorded_cells(*run.directory);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      add_curves(*recorded[i], drawn_name(run.result, recorded[i]->cell), i, section);
    }
    for (const ProfiledCell* const cell : recorded) {
      add_device_tables(*cell, drawn_name(run.result, cell->cell), detail.table_rows, section);
    }
  }
  add_metrics(run.result, section);
  return section;
}

}  // namespace tune::report
