#pragma once

#include "profile/timeline.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tune::rank {

/// One collective as one rank saw it: a communication kernel.
struct Collective {
  std::string_view name;  ///< "allreduce"; a text of Collectives::names
  std::int64_t sequence = profile::kUnknownNumber;
  std::int64_t start_ns = 0;  ///< since 1970 where the trace says when it began
  std::int64_t duration_ns = 0;

  std::int64_t end_ns() const { return start_ns + duration_ns; }
};

/// What a rank did within one process group.
struct GroupCalls {
  std::int64_t size = profile::kUnknownNumber;  ///< ranks in the group
  std::vector<Collective> calls;                ///< by start
};

/// All collectives of one trace.
struct Collectives {
  profile::StringPool names;
  /// By a text that is the same on all members of a group: "0, 4 ranks [0, 1, 2, 3]", or
  /// kGroupNotRecorded.
  std::map<std::string, GroupCalls> groups;
  std::int64_t point_to_point = 0;  ///< sends and receives: other ranks do not make the same call
  /// Starts are times of day, one time for all ranks as far as the clocks of their hosts agree.
  bool has_time_of_day = false;
};

constexpr std::string_view kGroupNotRecorded = "not recorded";

/// Kernels of NCCL, RCCL, oneCCL and HCCL, by name as in the partition; their process group and
/// what they do by the arguments of the row ("Process Group Name", "Group size", "Process Group
/// Ranks", "Collective name"), else by the kernel's name.
Collectives find_collectives(const profile::Timeline& timeline);

/// True for collectives that no rank can leave before all have come: allreduce, allgather,
/// reduce_scatter, all_to_all, barrier.
bool waits_for_all(std::string_view collective);

}  // namespace tune::rank
