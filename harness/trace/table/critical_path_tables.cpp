#include "trace/table/critical_path_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tune::table {

namespace {

using profile::CriticalPath;
using profile::PathPart;

Cell share_of(std::int64_t ns, const CriticalPath& path) {
  return path.length_ns > 0 ? Cell(static_cast<double>(ns) / static_cast<double>(path.length_ns))
                            : Cell();
}

double step_ns(const TableInput& input) {
  const auto& steps = input.partition.steps;
  return steps.steps.empty() ? 0
                             : static_cast<double>(input.partition.total_ns()) /
                                   static_cast<double>(steps.steps.size());
}

std::string coverage_note(const CriticalPath& path) {
  const auto window_ns = static_cast<double>(std::max<std::int64_t>(path.window.length_ns(), 1));
  const auto percent = std::llround(100 * static_cast<double>(path.length_ns) / window_ns);
  std::string note = "the path leads over ";
  note += std::to_string(path.nodes());
  note += " begins and ends of rows and covers ";
  note += std::to_string(percent);
  note += " % of the time from the first step's begin to the last one's end";
  return note;
}

std::vector<PathPart> parts_by_time(const CriticalPath& path) {
  const auto part_ns = path.part_ns();
  std::vector<PathPart> parts;
  parts.reserve(profile::kPathParts);
  for (std::size_t i = 0; i < profile::kPathParts; ++i) {
    if (part_ns[i] > 0) {
      parts.push_back(static_cast<PathPart>(i));
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [&](PathPart a, PathPart b) {
    return part_ns[static_cast<std::size_t>(a)] > part_ns[static_cast<std::size_t>(b)];
  });
  return parts;
}

}  // namespace

Table critical_path_table(const TableInput& input) {
  const CriticalPath& path = input.critical_path;
  Table table{.id = "critical-path", .title = "Critical path", .reason = path.reason};
  if (!table.is_applicable()) {
    return table;
  }
  table.columns = {{"bound_by", "Bound by"},
                   {"time", "Time", Quantity::time_ns},
                   {"time_ratio", "Share", Quantity::ratio},
                   {"edges", "Edges", Quantity::count, 1},
                   {"step_without", "Step without", Quantity::time_ns},
                   {"gain_ratio", "At most gained", Quantity::ratio}};
  const auto part_ns = path.part_ns();
  const auto part_edges = path.part_edges();
  const double now_ns = step_ns(input);
  table.rows.reserve(profile::kPathParts);
  for (const PathPart part : parts_by_time(path)) {
    const auto index = static_cast<std::size_t>(part);
    const profile::WhatIfPath without = path_if(input.timeline, path, {{.part = part}});
    const double then_ns = time_if(now_ns, path, without.length_ns);
    table.rows.push_back({std::string(profile::path_part_name(part)),
                          part_ns[index],
                          share_of(part_ns[index], path),
                          part_edges[index],
                          std::int64_t{std::llround(then_ns)},
                          then_ns >= 1 ? Cell(now_ns / then_ns - 1) : Cell()});
  }
  table.notes.push_back(coverage_note(path));
  table.notes.emplace_back(
      "without: if nothing of the part took time, everything else took as long as it did and "
      "waited for the same; no more can be gained, and measuring tells how much is");
  if (path.inferred_waits > 0) {
    table.notes.push_back(
        "calls whose wait is inferred, because no cuda_sync row names it "
        "(enable_cuda_sync_events): " +
        std::to_string(path.inferred_waits));
  }
  return table;
}

Table critical_row_table(const TableInput& input) {
  const CriticalPath& path = input.critical_path;
  Table table{.id = "critical-rows", .title = "Rows on the critical path", .reason = path.reason};
  if (!table.is_applicable()) {
    return table;
  }
  struct Sum {
    std::int64_t ns = 0, edges = 0;
  };
  std::map<std::pair<PathPart, std::string_view>, Sum> by_name;
  for (const std::uint32_t index : path.edges) {
    const profile::PathEdge& edge = path.graph.edges[index];
    if (edge.weight_ns > 0) {
      Sum& sum = by_name[{edge.part, input.timeline.name(input.timeline.events[edge.event])}];
      sum.ns += edge.weight_ns;
      ++sum.edges;
    }
  }
  table.columns = {{"name", "Name"},
                   {"bound_by", "Bound by"},
                   {"time", "Time", Quantity::time_ns},
                   {"time_ratio", "Share", Quantity::ratio},
                   {"edges", "Edges", Quantity::count, 1}};
  table.rows.reserve(by_name.size());
  for (const auto& [key, sum] : by_name) {
    table.rows.push_back({std::string(key.second),
                          std::string(profile::path_part_name(key.first)),
                          sum.ns,
                          share_of(sum.ns, path),
                          sum.edges});
  }
  sort_rows(table, "time");
  return table;
}

}  // namespace tune::table
