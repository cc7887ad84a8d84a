#pragma once

#include "trace/intervals.h"
#include "trace/role.h"
#include "trace/steps.h"
#include "trace/timeline.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace tune::profile {

/// Time by role, ns.
using RoleTimes = std::array<std::int64_t, kRoles>;

/// One step, taken apart.
struct StepPartition {
  /// By role: time at which it ran and nothing of a higher role did. The eight sum to the step
  /// exactly. Only exposed time can be gained.
  RoleTimes exposed_ns{};
  /// By role: time at which it ran while something of a higher role did too.
  RoleTimes overlapped_ns{};
};

/// Where the time of all steps goes. All sets are of the whole trace, over all threads, streams and
/// devices.
struct Partition {
  Steps steps;
  std::vector<StepPartition> parts;  ///< one a step
  StepPartition total;
  std::array<std::int64_t, kRolesOfRows> rows{};  ///< how many rows have the role, steps or not
  std::array<Intervals, kRolesOfRows> covered;    ///< when any row of the role ran
  std::map<std::int32_t, Intervals> device_busy;  ///< by device: kernels and copies of it
  /// False: no row of a device nor of a call into one. Roles before kFirstHostRole are then not
  /// applicable.
  bool has_device_rows = false;
  /// Device work after the end of the last step: what the last step left to do.
  std::int64_t device_tail_ns = 0;
  /// The other order, for advice on communication: what computing does not hide of communication,
  /// and what neither hides of copies.
  std::int64_t communication_beside_kernels_ns = 0;
  std::int64_t copies_beside_both_ns = 0;

  std::int64_t total_ns() const { return steps.total_ns(); }
  /// When any device was busy.
  Intervals any_busy() const;
};

/// The definition:
///
///     rest := steps; for role in order: part := rest ∩ union(rows of role); rest := rest \ part
///
/// in integer ns, so that the parts sum to the step. That is asserted.
Partition partition_steps(const Timeline& timeline);

}  // namespace tune::profile
