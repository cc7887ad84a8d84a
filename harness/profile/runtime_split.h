#pragma once

#include "profile/call_kinds.h"
#include "profile/partition.h"
#include "profile/runtime_call.h"
#include "profile/timeline.h"

#include <array>
#include <cstdint>

namespace tune::profile {

/// The part `runtime` of a partition by what the calls were for.
struct RuntimeSplit {
  using Times = std::array<std::int64_t, kCallKinds>;

  /// Of the exposed runtime part; sums to it exactly. Where calls of several threads overlap, the
  /// one that works counts before the one that waits: launch, allocation, copy, blocking, rest.
  Times exposed_ns{};
  /// All calls that begin within a step: how many, and their time on the host, threads added up.
  Times calls{}, host_ns{};
  /// What the devices did while the host was blocked, exposed or not; the three sum to the time at
  /// which any thread was blocked within steps. Waiting for kernels is no cost of its own; while
  /// nothing ran, the device was kept waiting too.
  std::int64_t blocked_during_kernels_ns = 0;
  std::int64_t blocked_during_copies_ns = 0;
  std::int64_t blocked_for_nothing_ns = 0;
  /// An asynchronous copy whose call took longer was blocking (profile/call_kinds.h).
  std::int64_t blocking_copy_limit_ns = 0;
};

RuntimeSplit split_runtime(const Timeline& timeline,
                           const Partition& partition,
                           const CallKinds& kind_of);

}  // namespace tune::profile
