#pragma once

#include "trace/event.h"
#include "trace/intervals.h"
#include "trace/launches.h"
#include "trace/role.h"
#include "trace/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tune::profile {

/// What the time of an edge is spent on, and so what bounds a path there.
enum class PathPart : std::uint8_t {
  cpu,           ///< operators and calls of the host
  host_gap,      ///< the host between two of them: Python, code without ranges
  data_loading,  ///< rows called enumerate(DataLoader)#..., and rows within them
  kernel,
  communication,
  copy,          ///< copies and fills of a device
  launch,        ///< from the call to the start of its work on an idle stream
  kernel_delay,  ///< from the end of one work to the start of the next on its stream
  sync           ///< waits beyond what they waited for, and waits for nothing
};
constexpr std::size_t kPathParts = static_cast<std::size_t>(PathPart::sync) + 1;

/// "kernel_delay".
std::string_view path_part_name(PathPart part);

/// One moment happens after another, and how long after: the weight. 0 for what only keeps order.
struct PathEdge {
  std::uint32_t from = 0, to = 0;  ///< nodes
  std::uint32_t event = kNone;     ///< whose time it is; the later row of a gap or delay
  PathPart part = PathPart::cpu;
  std::int64_t weight_ns = 0;
};

/// What happens after what. Each row has two nodes, its begin and its end. No edge leads back in
/// time and none weighs more than the time between its nodes, so that no path is longer than the
/// time from its first node to its last.
struct DependencyGraph {
  std::vector<std::uint32_t> rows;    ///< by node / 2: the event
  std::vector<std::int64_t> node_ns;  ///< by node: when it happened
  std::vector<PathEdge> edges;

  static std::uint32_t begin_of(std::uint32_t row) { return 2 * row; }
  static std::uint32_t end_of(std::uint32_t row) { return 2 * row + 1; }

  /// Adds an edge unless it would lead back in time; its index, or kNone. The weight is the time
  /// between the nodes, or 0.
  std::uint32_t connect(std::uint32_t from, std::uint32_t to, const PathEdge& kind, bool weighs);
};

/// Sorts the edges so that every edge into a node comes before the edges out of it. False when that
/// is not possible, because the edges form a cycle.
bool sort_edges(DependencyGraph& graph);

/// The rows that a critical path may lead over.
struct PathRows {
  std::vector<std::uint32_t> events;  ///< by row: the event; the host's first, each by start
  std::vector<std::uint32_t> row_of;  ///< by event, or kNone
  std::size_t host_rows = 0;          ///< how many of them are the host's
  std::uint32_t main_thread = kNone;  ///< track that marks the steps, else the one with most calls
  std::vector<bool> is_backward;      ///< by track: autograd runs there, apart from the main thread
};

/// Operators, calls into a device's library and enumerate(DataLoader)# rows that begin in the
/// window, and the device work that those calls issued, whenever it ran. Threads that neither mark
/// steps nor call a device nor run autograd are left out: nothing in a trace says who waits for
/// them. Rows without duration are left out unless they issued work.
PathRows choose_path_rows(const Timeline& timeline, const Launches& launches, Interval window);

/// Events: a call, and work that it issued.
struct IssuedWork {
  std::uint32_t call = 0, work = 0;
};

/// In the order of the calls, work of one call in the order in which it began.
std::vector<IssuedWork> issued_work(const Launches& launches, const PathRows& rows);

/// Whether time in which a thread did nothing that the trace shows counts on a path: gaps of the
/// main thread and of autograd's between their rows, and what a blocking call takes beyond what it
/// waited for.
enum class IdleTime : std::uint8_t {
  counted,
  ignored  ///< as HolisticTraceAnalysis does
};

/// Adds the edges along each thread of the host:
///
///     into the first child, from child to child, out of the last child to the end of the row that
///     encloses them: the time of that row; a row without children has its own time
///     from one top row to the next: a gap
///
/// A gap of the main thread in which autograd's thread finished its work is waiting for it, and the
/// other way round: such a gap weighs nothing, and an edge leads across.
///
/// Returns, by row of the host, the edge that ends it, or kNone.
std::vector<std::uint32_t> add_host_edges(const Timeline& timeline,
                                          const PathRows& rows,
                                          IdleTime idle,
                                          DependencyGraph& graph);

}  // namespace tune::profile
