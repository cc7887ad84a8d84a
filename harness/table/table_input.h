#pragma once

#include "profile/call_kinds.h"
#include "profile/critical_path.h"
#include "profile/launches.h"
#include "profile/partition.h"
#include "profile/runtime_split.h"
#include "profile/timeline.h"
#include "table/host_tree.h"

#include <cstdint>
#include <vector>

namespace tune::table {

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
