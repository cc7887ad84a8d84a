#pragma once

#include "trace/dependency_graph.h"
#include "trace/intervals.h"
#include "trace/launches.h"
#include "trace/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tune::profile {

/// The longest path through what happened in a window: shortening anything else makes nothing
/// faster. After HolisticTraceAnalysis ("lightweight critical path analysis"), whose graph and
/// weights IdleTime::ignored gives; see trace/dependency_graph.h and trace/device_edges.h.
struct CriticalPath {
  std::string reason;  ///< why there is none; "" when there is one
  DependencyGraph graph;
  std::vector<std::uint32_t> edges;  ///< the path, in order: indices of graph.edges
  std::int64_t length_ns = 0;        ///< sum of their weights
  Interval window;
  /// Calls that waited for what no cuda_sync row names, so that it was inferred.
  std::int64_t inferred_waits = 0;

  bool is_applicable() const { return reason.empty(); }
  /// How many nodes the path has.
  std::size_t nodes() const { return edges.size() + 1; }
  /// By part: time of the path, ns. Sums to length_ns.
  std::array<std::int64_t, kPathParts> part_ns() const;
  /// By part: edges of the path.
  std::array<std::int64_t, kPathParts> part_edges() const;
};

/// Bounds the memory of a path: about 200 bytes a row.
constexpr std::size_t kMostPathRows = 5'000'000;

/// The path through the rows of the window. Cost: linear in the events.
///
/// Not applicable: without work of a device that can be joined to its call, with more than
/// `most_rows` rows, when they lie more than 10^15 ns apart, or when times contradict each other so
/// that edges go round in circles.
CriticalPath find_critical_path(const Timeline& timeline,
                                const Launches& launches,
                                Interval window,
                                IdleTime idle = IdleTime::counted,
                                std::size_t most_rows = kMostPathRows);

/// Edges that would weigh something else: those of a part, and of a name where one is given.
struct WhatIf {
  PathPart part = PathPart::cpu;
  std::string name;   ///< found in the name of the row, as written; "" fits every row
  double factor = 0;  ///< new weight ÷ old, 0 to 1000
};

/// What the longest path would be then.
struct WhatIfPath {
  std::int64_t length_ns = 0;
  std::int64_t changed_edges = 0;  ///< in the whole graph, of weight > 0
  std::int64_t changed_ns = 0;     ///< what those weighed before
};

/// All changes together; where two fit an edge both factors count. The model: everything else takes
/// as long as it did and waits for the same. Needs an applicable path.
WhatIfPath path_if(const Timeline& timeline,
                   const CriticalPath& path,
                   const std::vector<WhatIf>& changes);

/// A weight of longest_path_ns(): as if the edge were not there.
constexpr std::int64_t kNoEdge = -1;

/// The longest path where each edge weighs weight_ns[its index], ns >= 0, or kNoEdge: it is
/// missing.
std::int64_t longest_path_ns(const DependencyGraph& graph, std::span<const std::int64_t> weight_ns);

/// A time that scales with the path when it becomes shorter or longer. What the path does not
/// explain of it stays as it is.
double time_if(double time, const CriticalPath& path, std::int64_t new_length_ns);

}  // namespace tune::profile
