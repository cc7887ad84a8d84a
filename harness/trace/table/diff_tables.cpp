#include "trace/table/diff_tables.h"

#include "trace/role.h"
#include "trace/table/cell_text.h"
#include "trace/table/kernel_table.h"
#include "trace/table/operator_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

namespace tune::table {

TraceSide take_side(const TableInput& input) {
  const profile::Partition& partition = input.partition;
  TraceSide side;
  side.file = input.timeline.file;
  side.steps = static_cast<std::int64_t>(partition.steps.steps.size());
  side.total_ns = partition.total_ns();
  side.are_known = partition.steps.are_known;
  side.has_device_rows = partition.has_device_rows;
  side.device_word = device_word(input.timeline);
  side.exposed_ns = partition.total.exposed_ns;
  side.operators = operator_table(input);
  side.kernels = kernel_table(input);
  return side;
}

namespace {

using profile::Role;

// The sums of one name over a whole trace.
struct Sums {
  std::int64_t count = 0, time_ns = 0, device_ns = 0;
};

// Before and after.
using Pair = std::array<Sums, 2>;
using ByName = std::map<std::string, Pair>;

double per_step(std::int64_t value, const TraceSide& side) {
  return static_cast<double>(value) / static_cast<double>(side.steps);
}

std::int64_t time_per_step(std::int64_t ns, const TraceSide& side) {
  return std::llround(per_step(ns, side));
}

// Relative; of nothing there is no relation.
Cell change_ratio(double before, double after) {
  return before > 0 ? Cell((after - before) / before) : Cell();
}

std::int64_t whole(const Table& table, const Row& row, const char* column) {
  const std::size_t index = column_index(table, column);
  const auto* const value = index < row.size() ? std::get_if<std::int64_t>(&row[index]) : nullptr;
  return value != nullptr ? *value : 0;
}

// An annotation and an operator of one name are one row here; memory outside of all rows is none,
// nor are steps.
void collect(ByName& names, const Table& table, std::size_t side, const char* time) {
  for (const Row& row : table.rows) {
    const auto& name = std::get<std::string>(row.front());
    if (name == "[memory]" || name == kStepRow) {
      continue;
    }
    Sums& sums = names[name][side];
    sums.count += whole(table, row, "count");
    sums.time_ns += whole(table, row, time);
    sums.device_ns += whole(table, row, "self_device_time_total");
  }
}

// before, after, change, relative change.
void add_times(Row& row, std::int64_t before_ns, std::int64_t after_ns) {
  row.emplace_back(before_ns);
  row.emplace_back(after_ns);
  row.emplace_back(after_ns - before_ns);
  row.push_back(change_ratio(static_cast<double>(before_ns), static_cast<double>(after_ns)));
}

void add_time_columns(Table& table, const std::string& id, const std::string& title) {
  const std::string start = id.empty() ? "" : id + "_";
  const std::string name = title.empty() ? "" : title + " ";
  table.columns.push_back({start + "before", name + "before", Quantity::time_ns});
  table.columns.push_back({start + "after", name + "after", Quantity::time_ns});
  table.columns.push_back({start + "change", name + "change", Quantity::time_change_ns});
  table.columns.push_back({start + "change_ratio", name + "change %", Quantity::ratio, 2});
}

void add_call_columns(Table& table) {
  table.columns.push_back({"calls_before", "Calls before", Quantity::number});
  table.columns.push_back({"calls_after", "Calls after", Quantity::number});
}

// By the largest of the changes that the columns hold.
void sort_by_change(Table& table) {
  std::vector<std::size_t> changes;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].quantity == Quantity::time_change_ns) {
      changes.push_back(i);
    }
  }
  const auto size_of = [&changes](const Row& row) {
    std::int64_t most = 0;
    for (const std::size_t i : changes) {
      const auto* const change = std::get_if<std::int64_t>(&row[i]);
      most = std::max(most, change != nullptr ? std::abs(*change) : 0);
    }
    return most;
  };
  std::stable_sort(table.rows.begin(), table.rows.end(), [&size_of](const Row& a, const Row& b) {
    return size_of(a) > size_of(b);
  });
}

bool parts_mean_the_same(const TraceSide& before, const TraceSide& after) {
  return before.has_device_rows == after.has_device_rows;
}

// Why a table of either trace cannot be compared; "" when both can.
std::string why_not(const TraceSide& before, const TraceSide& after, Table TraceSide::*table) {
  std::string reason = why_not_comparable(before, after);
  for (const TraceSide* const side : {&before, &after}) {
    if (reason.empty() && !(side->*table).is_applicable()) {
      reason = side->file + ": " + (side->*table).reason;
    }
  }
  return reason;
}

std::string without_device(const TraceSide& before, const TraceSide& after) {
  const bool neither = !before.has_device_rows && !after.has_device_rows;
  return (neither                  ? "both traces have"
          : before.has_device_rows ? after.file + " has"
                                   : before.file + " has") +
         std::string(" rows of the CPU alone");
}

void add_row(Table& table,
             const std::string& name,
             const std::pair<std::int64_t, std::int64_t>& totals_ns,
             const std::pair<const TraceSide*, const TraceSide*>& sides) {
  Row row = {name};
  row.reserve(table.columns.size());
  add_times(row,
            time_per_step(totals_ns.first, *sides.first),
            time_per_step(totals_ns.second, *sides.second));
  table.rows.push_back(std::move(row));
}

}  // namespace

std::string why_not_comparable(const TraceSide& before, const TraceSide& after) {
  for (const TraceSide* const side : {&before, &after}) {
    if (side->steps == 0 || side->total_ns == 0) {
      return side->file + " has no row with a duration";
    }
  }
  if (before.are_known != after.are_known) {
    return "no step is marked in " + (before.are_known ? after : before).file +
           " (ProfilerStep#N), so there is nothing per step to compare";
  }
  return "";
}

Table partition_diff(const TraceSide& before, const TraceSide& after) {
  Table table{.id = "partition_change",
              .title = "Where the time goes, per step",
              .reason = why_not_comparable(before, after)};
  if (!table.is_applicable()) {
    return table;
  }
  table.columns.push_back({"part", "Part"});
  add_time_columns(table, "", "");
  const std::pair sides(&before, &after);
  if (parts_mean_the_same(before, after)) {
    const auto first =
        before.has_device_rows ? 0 : static_cast<std::size_t>(profile::kFirstHostRole);
    for (std::size_t role = first; role < profile::kRoles; ++role) {
      add_row(table,
              std::string(profile::role_name(static_cast<Role>(role))),
              {before.exposed_ns[role], after.exposed_ns[role]},
              sides);
    }
    sort_by_change(table);
  } else {
    table.notes.push_back("the parts are not compared: " + without_device(before, after) +
                          ", so that its other parts hold what devices do in the other trace");
  }
  add_row(table, "step", {before.total_ns, after.total_ns}, sides);
  if (!before.are_known) {
    table.notes.emplace_back("no step is marked (ProfilerStep#N): each trace as a whole is one");
  }
  table.notes.push_back("steps: " + std::to_string(before.steps) + " before, " +
                        std::to_string(after.steps) + " after");
  return table;
}

Table operator_diff(const TraceSide& before, const TraceSide& after) {
  Table table{.id = "operator_change",
              .title = "Operators, per step",
              .reason = why_not(before, after, &TraceSide::operators)};
  if (!table.is_applicable()) {
    return table;
  }
  const bool has_device = before.has_device_rows && after.has_device_rows;
  table.columns = {{"name", "Name"}};
  add_call_columns(table);
  add_time_columns(table, "self_cpu", "Self CPU");
  if (has_device) {
    const bool is_same = before.device_word == after.device_word;
    add_time_columns(table, "self_device", "Self " + (is_same ? before.device_word : "device"));
  } else {
    table.notes.push_back("time of devices is not compared: " + without_device(before, after));
  }
  ByName names;
  collect(names, before.operators, 0, "self_cpu_time_total");
  collect(names, after.operators, 1, "self_cpu_time_total");
  table.rows.reserve(names.size());
  for (const auto& [name, sums] : names) {
    Row row = {name, per_step(sums[0].count, before), per_step(sums[1].count, after)};
    row.reserve(table.columns.size());
    add_times(row, time_per_step(sums[0].time_ns, before), time_per_step(sums[1].time_ns, after));
    if (has_device) {
      add_times(
          row, time_per_step(sums[0].device_ns, before), time_per_step(sums[1].device_ns, after));
    }
    table.rows.push_back(std::move(row));
  }
  sort_by_change(table);
  return table;
}

Table kernel_diff(const TraceSide& before, const TraceSide& after) {
  Table table{.id = "kernel_change",
              .title = "Kernels, per step",
              .reason = why_not(before, after, &TraceSide::kernels)};
  if (!table.is_applicable()) {
    return table;
  }
  table.columns = {{"name", "Name"}};
  add_call_columns(table);
  add_time_columns(table, "", "");
  ByName names;
  collect(names, before.kernels, 0, "total_time");
  collect(names, after.kernels, 1, "total_time");
  table.rows.reserve(names.size());
  for (const auto& [name, sums] : names) {
    Row row = {name, per_step(sums[0].count, before), per_step(sums[1].count, after)};
    row.reserve(table.columns.size());
    add_times(row, time_per_step(sums[0].time_ns, before), time_per_step(sums[1].time_ns, after));
    table.rows.push_back(std::move(row));
  }
  sort_by_change(table);
  return table;
}

std::vector<Table> diff_tables(const TraceSide& before, const TraceSide& after) {
  return {partition_diff(before, after), operator_diff(before, after), kernel_diff(before, after)};
}

}  // namespace tune::table
