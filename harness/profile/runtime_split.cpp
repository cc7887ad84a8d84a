#include "profile/runtime_split.h"

#include "base/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tune::profile {

namespace {

constexpr std::int64_t kLeastBlockingNs = 20'000;
constexpr std::int64_t kTimesMedian = 3;
constexpr std::int64_t kSmallCopyBytes = 64 * 1024;

constexpr std::size_t index(CallKind kind) {
  return static_cast<std::size_t>(kind);
}

// By StringId: a name is looked at once.
struct NameKinds {
  explicit NameKinds(const Timeline& timeline)
      : kinds(timeline.strings.size(), CallKind::rest), is_async(timeline.strings.size()) {
    std::vector<bool> is_looked_at(kinds.size());
    for (const Event& event : timeline.events) {
      if (!is_device_call(event.category) || is_looked_at[event.name]) {
        continue;
      }
      is_looked_at[event.name] = true;
      kinds[event.name] = call_kind_of(timeline.name(event));
      is_async[event.name] = is_async_copy(timeline.name(event));
    }
  }

  std::vector<CallKind> kinds;
  std::vector<bool> is_async;
};

std::int64_t blocking_limit_ns(const Timeline& timeline,
                               const Launches& launches,
                               const NameKinds& names) {
  std::vector<std::int64_t> small;
  small.reserve(64);
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    const Event& call = timeline.events[i];
    if (!is_device_call(call.category) || !names.is_async[call.name]) {
      continue;
    }
    const std::uint32_t work = launches.first_work_of[i];
    const CopyDetail* const copy = work == kNone ? nullptr : timeline.copy(timeline.events[work]);
    if (copy != nullptr && copy->bytes >= 0 && copy->bytes <= kSmallCopyBytes) {
      small.push_back(call.duration_ns);
    }
  }
  if (small.empty()) {
    return kLeastBlockingNs;
  }
  const auto middle = small.begin() + static_cast<std::ptrdiff_t>(small.size() / 2);
  std::nth_element(small.begin(), middle, small.end());
  return std::max(kLeastBlockingNs, kTimesMedian * *middle);
}

bool is_pageable(const Timeline& timeline, std::uint32_t work) {
  return work != kNone && timeline.events[work].category == Category::memcpy &&
         timeline.name(timeline.events[work]).find("Pageable") != std::string_view::npos;
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
                           const Launches& launches) {
  RuntimeSplit split;
  const NameKinds names(timeline);
  split.blocking_copy_limit_ns = blocking_limit_ns(timeline, launches, names);
  const Intervals steps = partition.steps.covered();
  std::array<std::vector<Interval>, kCallKinds> intervals;
  auto step = steps.begin();
  for (std::size_t i = 0; i < timeline.events.size(); ++i) {
    const Event& call = timeline.events[i];
    if (!is_device_call(call.category)) {
      continue;
    }
    CallKind kind = names.kinds[call.name];
    if (names.is_async[call.name] && (call.duration_ns > split.blocking_copy_limit_ns ||
                                      is_pageable(timeline, launches.first_work_of[i]))) {
      kind = CallKind::blocking;
    }
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
