#pragma once

#include "profile/intervals.h"
#include "profile/launches.h"
#include "profile/role.h"
#include "profile/timeline.h"

#include <cstdint>
#include <vector>

namespace tune::profile {

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

}  // namespace tune::profile
