#pragma once

#include "profile/dependency_graph.h"
#include "profile/path_rows.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

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
///     they lie in: the time of that row; of a row without children its own
///     from one row that lies in none to the next: a gap
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
