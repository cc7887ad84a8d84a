#include "trace/critical_path.h"

#include "base/assert.h"
#include "trace/dependency_graph.h"
#include "trace/device_edges.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace tune::profile {

namespace {

constexpr double kMostNs = 1e15;  // so that no sum of weights, nor what-if of one, is beyond int64

// The longest path to each node.
struct Longest {
  std::vector<std::int64_t> ns;   // by node
  std::vector<std::uint32_t> by;  // by node: the last edge, or kNone
  std::uint32_t end = kNone;      // where the longest of all ends, the earliest of equals
};

// Weights may differ from those of the edges, and kNoEdge leaves one out. Among equal paths the one
// seen first stays, and none begins later than it must.
template <class Weight>
Longest find_longest(const DependencyGraph& graph, Weight weight_of) {
  const std::size_t nodes = graph.node_ns.size();
  Longest longest{.ns = std::vector<std::int64_t>(nodes),
                  .by = std::vector<std::uint32_t>(nodes, kNone)};
  for (std::uint32_t i = 0; i < graph.edges.size(); ++i) {
    const PathEdge& edge = graph.edges[i];
    const std::int64_t weight_ns = weight_of(i);
    if (weight_ns == kNoEdge) {
      continue;
    }
    const std::int64_t ns = longest.ns[edge.from] + weight_ns;
    if (longest.by[edge.to] == kNone || ns > longest.ns[edge.to]) {
      longest.ns[edge.to] = ns;
      longest.by[edge.to] = i;
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const bool is_better = longest.end == kNone || longest.ns[node] > longest.ns[longest.end] ||
                           (longest.ns[node] == longest.ns[longest.end] &&
                            graph.node_ns[node] < graph.node_ns[longest.end]);
    longest.end = is_better ? node : longest.end;
  }
  return longest;
}

DependencyGraph nodes_of(const Timeline& timeline, const PathRows& rows) {
  DependencyGraph graph{.rows = rows.events};
  graph.node_ns.reserve(2 * rows.events.size());
  for (const std::uint32_t row : rows.events) {
    graph.node_ns.push_back(timeline.events[row].start_ns);
    graph.node_ns.push_back(timeline.events[row].end_ns());
  }
  graph.edges.reserve(3 * rows.events.size());
  return graph;
}

std::string why_not(const PathRows& rows, std::size_t most_rows) {
  if (rows.events.size() > most_rows) {
    return "its steps have more than " + std::to_string(most_rows) +
           " rows: record fewer, or read less of it (--memory)";
  }
  return rows.events.size() > rows.host_rows
             ? ""
             : "no work of a device can be joined to the call that issued it";
}

bool is_too_long(const DependencyGraph& graph) {
  const auto [first, last] = std::minmax_element(graph.node_ns.begin(), graph.node_ns.end());
  return static_cast<double>(*last) - static_cast<double>(*first) > kMostNs;
}

void take_path(const Longest& longest, CriticalPath& path) {
  for (std::uint32_t node = longest.end; longest.by[node] != kNone;) {
    path.edges.push_back(longest.by[node]);
    node = path.graph.edges[longest.by[node]].from;
  }
  std::reverse(path.edges.begin(), path.edges.end());
  path.length_ns = longest.ns[longest.end];
}

}  // namespace

std::array<std::int64_t, kPathParts> CriticalPath::part_ns() const {
  std::array<std::int64_t, kPathParts> sums{};
  for (const std::uint32_t edge : edges) {
    sums[static_cast<std::size_t>(graph.edges[edge].part)] += graph.edges[edge].weight_ns;
  }
  return sums;
}

std::array<std::int64_t, kPathParts> CriticalPath::part_edges() const {
  std::array<std::int64_t, kPathParts> counts{};
  for (const std::uint32_t edge : edges) {
    ++counts[static_cast<std::size_t>(graph.edges[edge].part)];
  }
  return counts;
}

CriticalPath find_critical_path(const Timeline& timeline,
                                const Launches& launches,
                                Interval window,
                                IdleTime idle,
                                std::size_t most_rows) {
  CriticalPath path{.window = window};
  const PathRows rows = choose_path_rows(timeline, launches, window);
  path.reason = why_not(rows, most_rows);
  if (!path.is_applicable()) {
    return path;
  }
  path.graph = nodes_of(timeline, rows);
  if (is_too_long(path.graph)) {
    return {.reason = "its rows lie more than 11 days apart", .window = window};
  }
  const std::vector<std::uint32_t> closing = add_host_edges(timeline, rows, idle, path.graph);
  path.inferred_waits = add_device_edges({timeline, launches, rows, closing, idle}, path.graph);
  if (!sort_edges(path.graph)) {
    return {.reason = "times of the rows contradict each other", .window = window};
  }
  take_path(find_longest(path.graph,
                         [&](std::uint32_t edge) { return path.graph.edges[edge].weight_ns; }),
            path);
  return path;
}

WhatIfPath path_if(const Timeline& timeline,
                   const CriticalPath& path,
                   const std::vector<WhatIf>& changes) {
  WhatIfPath result;
  const auto fits = [&](const WhatIf& change, const PathEdge& edge) {
    return change.part == edge.part &&
           (change.name.empty() ||
            timeline.name(timeline.events[edge.event]).find(change.name) != std::string_view::npos);
  };
  const auto weight_ns = [&](const PathEdge& edge) {
    double factor = 1;
    bool is_changed = false;
    for (const WhatIf& change : changes) {
      if (edge.weight_ns > 0 && fits(change, edge)) {
        factor *= change.factor;
        is_changed = true;
      }
    }
    if (!is_changed) {
      return edge.weight_ns;
    }
    ++result.changed_edges;
    result.changed_ns += edge.weight_ns;
    return static_cast<std::int64_t>(std::llround(static_cast<double>(edge.weight_ns) * factor));
  };
  std::vector<std::int64_t> weights_ns;
  weights_ns.reserve(path.graph.edges.size());
  for (const PathEdge& edge : path.graph.edges) {
    weights_ns.push_back(weight_ns(edge));
  }
  result.length_ns = longest_path_ns(path.graph, weights_ns);
  return result;
}

std::int64_t longest_path_ns(const DependencyGraph& graph,
                             std::span<const std::int64_t> weight_ns) {
  TUNE_ASSERT(weight_ns.size() == graph.edges.size());
  const Longest longest =
      find_longest(graph, [&weight_ns](std::uint32_t edge) { return weight_ns[edge]; });
  return longest.end == kNone ? 0 : longest.ns[longest.end];
}

double time_if(double time, const CriticalPath& path, std::int64_t new_length_ns) {
  const auto all_ns = static_cast<double>(std::max(path.length_ns, path.window.length_ns()));
  const auto change_ns = static_cast<double>(new_length_ns - path.length_ns);
  return all_ns > 0 ? time * (1 + change_ns / all_ns) : time;
}

}  // namespace tune::profile
