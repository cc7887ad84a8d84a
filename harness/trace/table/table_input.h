#pragma once

#include "trace/critical_path.h"
#include "trace/launches.h"
#include "trace/partition.h"
#include "trace/runtime_calls.h"
#include "trace/table/host_tree.h"
#include "trace/table/table.h"
#include "trace/timeline.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tune::table {

/// Durations of the rows of one kind, ns.
struct TimeSums {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max(), most_ns = 0;

  void add(std::int64_t ns) {
    ++count;
    total_ns += ns;
    least_ns = std::min(least_ns, ns);
    most_ns = std::max(most_ns, ns);
  }
  std::int64_t mean_ns() const { return count == 0 ? 0 : total_ns / count; }
};

/// part ÷ whole; nothing of nothing is not known.
inline Cell share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Cell() : Cell(static_cast<double>(part) / static_cast<double>(whole));
}

/// What tables are functions of: the timeline, and what several of them need, once.
struct TableInput {
  const profile::Timeline& timeline;
  const profile::Partition& partition;
  const profile::Launches& launches;
  const profile::CallKinds& kind_of;  ///< by event
  const profile::RuntimeSplit& runtime;
  const profile::CriticalPath& critical_path;
  const HostTree& tree;
  const std::vector<std::uint32_t>& issuing_row;  ///< by event, of device work (issuing_rows)
};

/// The operator or annotation that issued device work, or kNone.
std::uint32_t issuing_operator(const TableInput& input, std::uint32_t work);

}  // namespace tune::table
