#include "profile/runtime_split.h"

#include "base/assert.h"

#include <numeric>
#include <utility>
#include <vector>

namespace tune::profile {

namespace {

constexpr std::size_t index(CallKind kind) {
  return static_cast<std::size_t>(kind);
}

void split_blocked(const Partition& partition, const Intervals& blocked, RuntimeSplit& split) {
  const auto covered = [&partition](Role role) -> const Intervals& {
    return partition.covered[static_cast<std::size_t>(role)];
  };
  const Intervals compute = unite(covered(Role::kernel), covered(Role::communication));
  const Intervals copies = unite(covered(Role::memcpy), covered(Role::memset));
  const Intervals during_compute = intersect(blocked, compute);
  const Intervals rest = subtract(blocked, during_compute);
  const Intervals during_copies = intersect(rest, copies);
  split.blocked_during_kernels_ns = length_ns(during_compute);
  split.blocked_during_copies_ns = length_ns(during_copies);
  split.blocked_for_nothing_ns = length_ns(rest) - length_ns(during_copies);
}

}  // namespace

RuntimeSplit split_runtime(const Timeline& timeline,
                           const Partition& partition,
                           const CallKinds& kind_of) {
  RuntimeSplit split;
  split.blocking_copy_limit_ns = kind_of.blocking_copy_limit_ns();
  const Intervals steps = partition.steps.covered();
  std::array<std::vector<Interval>, kCallKinds> intervals;
  auto step = steps.begin();
  for (std::uint32_t i = 0; i < timeline.events.size(); ++i) {
    const Event& call = timeline.events[i];
    if (!is_device_call(call.category)) {
      continue;
    }
    const CallKind kind = kind_of(i);
    intervals[index(kind)].push_back({call.start_ns, call.end_ns()});
    while (step != steps.end() && step->end_ns <= call.start_ns) {
      ++step;
    }
    if (step != steps.end() && step->begin_ns <= call.start_ns) {
      ++split.calls[index(kind)];
      split.host_ns[index(kind)] += call.duration_ns;
    }
  }
  Intervals above;  // what roles before runtime took
  for (std::size_t role = 0; role < static_cast<std::size_t>(Role::runtime); ++role) {
    above = unite(above, partition.covered[role]);
  }
  Intervals rest = subtract(steps, above);
  for (std::size_t kind = 0; kind < kCallKinds; ++kind) {
    const Intervals calls = unite(std::move(intervals[kind]));
    if (kind == index(CallKind::blocking)) {
      split_blocked(partition, intersect(calls, steps), split);
    }
    const Intervals part = intersect(rest, calls);
    split.exposed_ns[kind] = length_ns(part);
    rest = subtract(rest, part);
  }
  TUNE_ASSERT(std::accumulate(split.exposed_ns.begin(), split.exposed_ns.end(), std::int64_t{0}) ==
              partition.total.exposed_ns[static_cast<std::size_t>(Role::runtime)]);
  return split;
}

}  // namespace tune::profile
