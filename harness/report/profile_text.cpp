#include "report/profile_text.h"

#include "base/units.h"
#include "report/headline.h"
#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>

namespace tune::report {

namespace {

using campaign::CampaignResult;
using campaign::ProfiledCell;
using profile::Role;

constexpr std::size_t kMostOperators = 8;

// The baseline and the best cell, those of them that were asked to record.
std::vector<const ProfiledCell*> shown_cells(const CampaignResult& result) {
  std::vector<std::string> wanted = {"baseline"};
  if (const campaign::CellResult* const best = conclude(result).best) {
    wanted.push_back(best->cell.id);
  }
  std::vector<const ProfiledCell*> cells;
  for (const std::string& id : wanted) {
    for (const ProfiledCell& cell : result.profiles) {
      if (cell.cell == id) {
        cells.push_back(&cell);
      }
    }
  }
  return cells;
}

const profile::Partition* partition_of(const ProfiledCell& cell) {
  return cell.trace && cell.trace->partition && !cell.trace->partition->parts.empty()
             ? &*cell.trace->partition
             : nullptr;
}

std::string part_text(const profile::Partition& partition, std::int64_t ns) {
  const auto steps = static_cast<std::int64_t>(partition.parts.size());
  const auto total_ns = static_cast<double>(std::max<std::int64_t>(1, partition.total_ns()));
  return format_time(ns / steps) + " (" + share_text(static_cast<double>(ns) / total_ns) + ")";
}

/// What one operator takes of a step.
struct OperatorTime {
  std::int64_t calls = 0;
  std::int64_t self_ns = 0;
};

using OperatorTimes = std::vector<std::pair<std::string, OperatorTime>>;

const table::Table* operators_of(const ProfiledCell& cell) {
  if (cell.trace) {
    for (const table::Table& table : cell.trace->tables) {
      if (table.id == "operators" && table.is_applicable()) {
        return &table;
      }
    }
  }
  return nullptr;
}

template <class Value>
std::optional<Value> value_of(const table::Table& table,
                              const table::Row& row,
                              const char* column) {
  if (table::column_index(table, column) >= table.columns.size()) {
    return std::nullopt;
  }
  const auto* const value = std::get_if<Value>(&table::cell(table, row, column));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// Of all recorded steps, in the table's order: by time of its own.
OperatorTimes operator_times(const ProfiledCell& cell) {
  OperatorTimes times;
  const table::Table* const table = operators_of(cell);
  if (table == nullptr) {
    return times;
  }
  times.reserve(table->rows.size());
  for (const table::Row& row : table->rows) {
    const auto name = value_of<std::string>(*table, row, "name");
    const auto calls = value_of<std::int64_t>(*table, row, "count");
    const auto self_ns = value_of<std::int64_t>(*table, row, "self_cpu_time_total");
    if (name && calls && self_ns && !name->starts_with("ProfilerStep#")) {
      times.emplace_back(*name, OperatorTime{*calls, *self_ns});
    }
  }
  return times;
}

std::string operator_text(const ProfiledCell& cell, const OperatorTime* time) {
  const auto steps = static_cast<std::int64_t>(cell.outcome.step_ns.size());
  if (time == nullptr || steps == 0) {
    return "-";
  }
  const std::string calls =
      number_text(static_cast<double>(time->calls) / static_cast<double>(steps)) + " calls";
  return partition_of(cell) == nullptr ? calls : calls + ", " + format_time(time->self_ns / steps);
}

std::string dilation_text(double dilation) {
  std::array<char, 48> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3f", dilation);
  return text.data();
}

std::string recorded_text(const ProfiledCell& cell) {
  const trial::ProfileOutcome& outcome = cell.outcome;
  std::string text = counted(static_cast<std::int64_t>(outcome.step_ns.size()), "step") +
                     " recorded after the measured window of " + cell.trial;
  if (cell.dilation && cell.measured_step_s && cell.profiled_step_s) {
    text += ": " + format_seconds(*cell.profiled_step_s) + " a step against " +
            format_seconds(*cell.measured_step_s) + " measured (dilation " +
            dilation_text(*cell.dilation) + ")";
  }
  if (outcome.cap_reached) {
    text += "; the size limit of the trace ended it early";
  }
  if (outcome.lost_events > 0) {
    text += "; " + counted(outcome.lost_events, "event") + " lost";
  }
  for (const trial::RefusedOption& refused : outcome.refused) {
    text += "; without " + refused.option + ": " + refused.reason;
  }
  if (cell.trace && !cell.trace->partition && !cell.trace->partition_reason.empty()) {
    text += "; " + cell.trace->partition_reason;
  }
  return text + "; tune analyze " + cell.file.string();
}

}  // namespace

TextTable recorded_partition(const CampaignResult& result) {
  TextTable table{.heading = {"part of a recorded step"}, .rows = {}};
  std::vector<const profile::Partition*> partitions;
  for (const ProfiledCell* const cell : shown_cells(result)) {
    if (const auto* const partition = partition_of(*cell)) {
      partitions.push_back(partition);
      table.heading.push_back(cell->cell);
      table.heading.push_back(cell->cell + ", overlapped");
    }
  }
  for (std::size_t role = 0; role < profile::kRoles && !partitions.empty(); ++role) {
    const auto has = [&](const profile::Partition* partition) {
      return partition->total.exposed_ns[role] > 0 || partition->total.overlapped_ns[role] > 0;
    };
    if (std::none_of(partitions.begin(), partitions.end(), has)) {
      continue;
    }
    std::vector<std::string> row = {std::string(profile::role_name(static_cast<Role>(role)))};
    row.reserve(1 + 2 * partitions.size());
    for (const auto* const partition : partitions) {
      row.push_back(part_text(*partition, partition->total.exposed_ns[role]));
      row.push_back(part_text(*partition, partition->total.overlapped_ns[role]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable recorded_operators(const CampaignResult& result) {
  TextTable table{.heading = {"operator, by time of its own"}, .rows = {}};
  const auto cells = shown_cells(result);
  if (cells.empty() || operators_of(*cells.front()) == nullptr) {
    return table;
  }
  std::vector<std::map<std::string, OperatorTime>> by_name;
  by_name.reserve(cells.size());
  for (const ProfiledCell* const cell : cells) {
    table.heading.push_back(cell->cell);
    const OperatorTimes times = operator_times(*cell);
    by_name.emplace_back(times.begin(), times.end());
  }
  for (const auto& [name, time] : operator_times(*cells.front())) {
    if (table.rows.size() == kMostOperators) {
      break;
    }
    std::vector<std::string> row = {name};
    row.reserve(1 + cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto found = by_name[i].find(name);
      row.push_back(operator_text(*cells[i], found == by_name[i].end() ? nullptr : &found->second));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> recording_lines(const CampaignResult& result) {
  std::vector<std::string> lines;
  for (const ProfiledCell* const cell : shown_cells(result)) {
    std::string line = cell->cell + ": ";
    line += cell->reason.empty() ? recorded_text(*cell)
                                 : "nothing recorded by " + cell->trial + ": " + cell->reason;
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tune::report
