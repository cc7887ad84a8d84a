#pragma once

#include "profile/launches.h"
#include "profile/timeline.h"

#include <cstdint>
#include <vector>

namespace tune::table {

/// Which row of the host lies in which, thread by thread. Rows of the host are operators,
/// annotations, and calls into a device's library, as in PyTorch's key_averages(); Python frames
/// and the profiler's own overhead are not. All vectors but the last are by event.
///
/// As in PyTorch (torch/autograd/profiler_util.py):
///   - a row lies in the row of its thread that began last and has not ended before it ends;
///   - an only child that is called like its parent is the same call seen twice: it becomes its
///     parent (`row`), and its children the parent's;
///   - what the profiler itself calls (profiler::_record_function_enter, ...) is no row.
/// Other than there, a child may end up to 1 us after its parent: times that were rounded to us do.
struct HostTree {
  std::vector<std::uint32_t> row;     ///< itself, what it became, or kNone when it is no row
  std::vector<std::uint32_t> parent;  ///< of rows that are themselves; kNone at the top
  /// Duration less what direct children cover of it. Over a thread whose rows nest the sum is the
  /// time that its top rows cover.
  std::vector<std::int64_t> self_ns;
  /// By Timeline::memory: the innermost row of the thread at that time, or kNone.
  std::vector<std::uint32_t> memory_row;

  bool is_row(std::uint32_t event) const { return row[event] == event; }
};

HostTree nest_host_rows(const profile::Timeline& timeline);

/// By event: for device work the row of the call that issued it; without such a call the operator
/// that has its external id; kNone when neither is in the trace, and for everything else.
///
/// A number that is both external id and correlation of the work says nothing (profilers of 2023
/// wrote one for the other).
std::vector<std::uint32_t> issuing_rows(const profile::Timeline& timeline,
                                        const HostTree& tree,
                                        const profile::Launches& launches);

/// The innermost operator or annotation that the row lies in, itself included; kNone when there is
/// none.
std::uint32_t enclosing_operator(const profile::Timeline& timeline,
                                 const HostTree& tree,
                                 std::uint32_t row);

}  // namespace tune::table
