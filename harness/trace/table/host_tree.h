#pragma once

#include "trace/launches.h"
#include "trace/timeline.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tune::table {

/// Which row of the host encloses which, thread by thread. Rows of the host are operators,
/// annotations, and calls into a device's library, as in PyTorch's key_averages(); Python frames
/// and the profiler's own overhead are not. All vectors but the last are by event.
///
/// As in PyTorch (torch/autograd/profiler_util.py):
///   - a row is within the row of its thread that began last and does not end before it;
///   - an only child that is called like its parent is the same call seen twice: it becomes its
///     parent (`row`), and its children the parent's;
///   - what the profiler itself calls (profiler::_record_function_enter, ...) is not a row.
/// Unlike there, a child may end up to 1 us after its parent: times that were rounded to us do.
struct HostTree {
  std::vector<std::uint32_t> row;     ///< itself, what it became, or kNone when it is not a row
  std::vector<std::uint32_t> parent;  ///< of rows that are themselves; kNone at the top
  /// For each row the innermost operator or annotation around it, itself included; kNone where
  /// there is none.
  std::vector<std::uint32_t> enclosing;
  /// Duration less what direct children cover of it. Over a thread whose rows nest the sum is the
  /// time that its top rows cover.
  std::vector<std::int64_t> self_ns;
  /// By Timeline::memory: the innermost row of the thread at that time, or kNone.
  std::vector<std::uint32_t> memory_row;

  bool is_row(std::uint32_t event) const { return row[event] == event; }
};

/// How many frames of a stack are written out: all of them, where rows nest thousands deep, would
/// be text that grows with the square of the depth. Python itself nests 1,000 deep at most.
constexpr std::size_t kDeepestStack = 256;

HostTree nest_host_rows(const profile::Timeline& timeline);

/// By event: for device work the row of the call that issued it; without such a call the operator
/// that has its external id; kNone when neither is in the trace, and for everything else.
///
/// A number that is both external id and correlation of the work says nothing (profilers of 2023
/// wrote one for the other).
std::vector<std::uint32_t> issuing_rows(const profile::Timeline& timeline,
                                        const HostTree& tree,
                                        const profile::Launches& launches);

/// HostTree::enclosing of a row, or of kNone.
inline std::uint32_t enclosing_operator(const HostTree& tree, std::uint32_t row) {
  return row == profile::kNone ? profile::kNone : tree.enclosing[row];
}

/// By event, for rows that are themselves: the innermost row around it that fits, itself included,
/// or kNone. One pass for all rows: going up from each takes as many steps as rows are nested.
template <class Fits>
std::vector<std::uint32_t> innermost_that(const HostTree& tree, Fits fits) {
  std::vector<std::uint32_t> found(tree.row.size(), profile::kNone);
  for (std::uint32_t i = 0; i < found.size(); ++i) {  // parents before their children
    if (tree.is_row(i)) {
      const std::uint32_t parent = tree.parent[i];
      found[i] = fits(i) ? i : parent == profile::kNone ? profile::kNone : found[parent];
    }
  }
  return found;
}

/// The same for the outermost.
template <class Fits>
std::vector<std::uint32_t> outermost_that(const HostTree& tree, Fits fits) {
  std::vector<std::uint32_t> found(tree.row.size(), profile::kNone);
  for (std::uint32_t i = 0; i < found.size(); ++i) {  // parents before their children
    if (tree.is_row(i)) {
      const std::uint32_t parent = tree.parent[i];
      const std::uint32_t around = parent == profile::kNone ? profile::kNone : found[parent];
      found[i] = around == profile::kNone && fits(i) ? i : around;
    }
  }
  return found;
}

}  // namespace tune::table
