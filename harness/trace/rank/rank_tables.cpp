#include "trace/rank/rank_tables.h"

#include "trace/role.h"
#include "trace/table/table_input.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

namespace tune::rank {

namespace {

using table::Cell;
using table::Quantity;

constexpr std::array<const char*, profile::kRoles> kTitles = {
    "Kernel", "Comm.", "Memcpy", "Memset", "Runtime", "Data loading", "CPU op", "Other"};

std::vector<table::Column> rank_columns() {
  std::vector<table::Column> columns = {{"rank", "Rank"},
                                        {"steps", "Steps", Quantity::count},
                                        {"step_time", "Step", Quantity::time_ns}};
  columns.reserve(columns.size() + profile::kRoles + 6);
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    columns.push_back({std::string(profile::role_name(static_cast<profile::Role>(role))),
                       kTitles[role],
                       Quantity::time_ns,
                       static_cast<int>(role + 2)});
  }
  columns.push_back({"gpu_busy_ratio", "GPU busy", Quantity::ratio});
  columns.push_back({"exposed_communication_ratio", "Exposed comm.", Quantity::ratio});
  columns.push_back({"collective_wait", "Waits", Quantity::time_ns});
  columns.push_back({"times_last", "Last", Quantity::count});
  columns.push_back({"caused_wait", "Others wait", Quantity::time_ns});
  columns.push_back({"file", "File", Quantity::text, 1});
  return columns;
}

// An empty cell where nothing is known. (g++ 12 takes a conditional cell for uninitialised.)
template <class Value>
void add_cell(table::Row& row, bool is_known, Value value) {
  row.emplace_back();
  if (is_known) {
    row.back() = value;
  }
}

table::Row rank_row(const RankSummary& summary,
                    const Lateness& lateness,
                    const MatchedCollectives& matched) {
  table::Row row = {summary.rank.rank ? std::to_string(*summary.rank.rank) : "unknown",
                    summary.steps,
                    summary.per_step(summary.total_ns)};
  row.reserve(profile::kRoles + 9);
  for (std::size_t role = 0; role < profile::kRoles; ++role) {
    const bool applies =
        summary.has_device_rows || role >= static_cast<std::size_t>(profile::kFirstHostRole);
    add_cell(row, applies, summary.per_step(summary.exposed_ns[role]));
  }
  const bool has_order = matched.no_order_reason.empty() && lateness.collectives > 0;
  const double total_ns = static_cast<double>(summary.total_ns);
  add_cell(row, summary.gpu_busy_ratio.has_value(), summary.gpu_busy_ratio.value_or(0));
  add_cell(row,
           summary.has_device_rows && total_ns > 0,
           static_cast<double>(summary.exposed(profile::Role::communication)) / total_ns);
  add_cell(row, lateness.collectives > 0, summary.per_step(lateness.wait_ns));
  add_cell(row, has_order, lateness.times_last);
  add_cell(row, has_order, summary.per_step(lateness.caused_wait_ns));
  row.emplace_back(std::filesystem::path(summary.file).filename().string());
  return row;
}

// The calls of one collective in one group.
struct Sums {
  std::int64_t count = 0, transfer_ns = 0, wait_ns = 0;
  std::vector<std::int64_t> times_last;  // by MatchedGroup::ranks
};

std::map<std::string, Sums> sum_by_name(const MatchedGroup& group) {
  std::map<std::string, Sums> sums;
  for (const MatchedCollective& collective : group.collectives) {
    Sums& sum = sums[std::string(collective.name)];
    sum.times_last.resize(group.ranks.size());
    ++sum.count;
    sum.transfer_ns += collective.transfer_ns;
    for (const std::int64_t wait_ns : collective.wait_ns) {
      sum.wait_ns += wait_ns;
    }
    if (collective.last) {
      ++sum.times_last[*collective.last];
    }
  }
  return sums;
}

// "" where nobody is ever late.
std::string straggler_text(const Sums& sum,
                           const MatchedGroup& group,
                           const std::vector<RankSummary>& ranks) {
  const auto most = std::max_element(sum.times_last.begin(), sum.times_last.end());
  if (*most == 0) {
    return "";
  }
  const auto index = static_cast<std::size_t>(most - sum.times_last.begin());
  std::string text = rank_text(ranks[group.ranks[index]]);
  text += ", " + std::to_string(*most) + " of " + std::to_string(sum.count);
  return text;
}

void add_notes(table::Table& table, const MatchedCollectives& matched) {
  table.notes.emplace_back(
      "transfer: the shortest duration over the ranks; wait: what is beyond it, ranks added up");
  for (const MatchedGroup& group : matched.groups) {
    for (const std::string& note : group.notes) {
      std::string line = "process group " + group.group;
      line += ": " + note;
      table.notes.push_back(std::move(line));
    }
  }
  if (!matched.no_order_reason.empty()) {
    table.notes.push_back(matched.no_order_reason);
  }
  if (matched.point_to_point > 0) {
    table.notes.push_back("not matched: sends and receives, " +
                          std::to_string(matched.point_to_point) + " rows");
  }
}

// Columns of devices hold nothing where no rank has any.
void leave_devices_out(table::Table& table) {
  std::vector<table::Column> columns;
  columns.reserve(table.columns.size());
  std::vector<table::Row> rows(table.rows.size());
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto is_empty = [column](const table::Row& row) { return row[column] == Cell(); };
    if (std::all_of(table.rows.begin(), table.rows.end(), is_empty)) {
      continue;
    }
    columns.push_back(table.columns[column]);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row].push_back(table.rows[row][column]);
    }
  }
  table.columns = std::move(columns);
  table.rows = std::move(rows);
}

}  // namespace

table::Table rank_table(const std::vector<RankSummary>& ranks, const MatchedCollectives& matched) {
  table::Table table{.id = "ranks", .title = "Ranks", .columns = rank_columns()};
  const std::vector<Lateness> lateness = lateness_of(ranks, matched);
  table.rows.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    table.rows.push_back(rank_row(ranks[i], lateness[i], matched));
  }
  const bool has_devices = std::any_of(
      ranks.begin(), ranks.end(), [](const auto& rank) { return rank.has_device_rows; });
  if (!has_devices) {
    leave_devices_out(table);
  }
  table.notes.emplace_back(has_devices ? "times are per step; the eight parts sum to the step"
                                       : "times are per step; the parts sum to it");
  for (const RankSummary& summary : ranks) {
    if (!summary.are_known) {
      table.notes.push_back(rank_text(summary) +
                            ": no step is marked (ProfilerStep#N), the whole trace is one");
    }
    if (has_devices && !summary.gpu_busy_ratio) {
      table.notes.push_back(rank_text(summary) + ": GPU busy is not known, " +
                            summary.no_gpu_busy_reason);
    }
  }
  return table;
}

table::Table collective_table(const std::vector<RankSummary>& ranks,
                              const MatchedCollectives& matched) {
  table::Table table{
      .id = "collectives", .title = "Collectives across ranks", .reason = matched.reason};
  if (!table.is_applicable()) {
    return table;
  }
  table.columns = {{"collective", "Collective"},
                   {"ranks", "Ranks", Quantity::count},
                   {"count", "Count", Quantity::count},
                   {"transfer", "Transfer", Quantity::time_ns},
                   {"wait", "Wait", Quantity::time_ns},
                   {"wait_ratio", "Waiting", Quantity::ratio},
                   {"straggler", "Starts last", Quantity::text, 1},
                   {"group", "Process group", Quantity::text, 2}};
  for (const MatchedGroup& group : matched.groups) {
    const auto members = static_cast<std::int64_t>(group.ranks.size());
    for (const auto& [name, sum] : sum_by_name(group)) {
      table.rows.push_back(
          {name,
           members,
           sum.count,
           sum.transfer_ns,
           sum.wait_ns,
           table::share(sum.wait_ns, sum.wait_ns + sum.transfer_ns * members),
           matched.no_order_reason.empty() ? straggler_text(sum, group, ranks) : Cell(),
           group.group});
    }
  }
  table::sort_rows(table, "wait");
  add_notes(table, matched);
  return table;
}

}  // namespace tune::rank
