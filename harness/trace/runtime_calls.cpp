#include "trace/runtime_calls.h"

#include "base/assert.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tune::profile {

namespace {

constexpr std::array<std::string_view, kCallKinds> kNames = {
    "launch", "allocation", "copy", "blocking", "rest"};

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool has_any(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(
      parts.begin(), parts.end(), [name](std::string_view part) { return has(name, part); });
}

bool is_launch(std::string_view name) {
  // cudaLaunchHostFunc only enqueues a call of the host; it starts no kernel.
  return !has(name, "HostFunc") && !has(name, "WorkspaceSize") &&
         has_any(name,
                 {"LaunchKernel",
                  "LaunchCooperative",
                  "GraphLaunch",
                  "KernelLaunch",
                  "AppendLaunch",
                  "hipLaunch",
                  "cudaLaunchDevice",
                  "LaunchGrid",
                  "cuLaunch",
                  // Ascend
                  "Node@launch",
                  "AscendCL@aclnn",
                  "aclopCompileAndExecute"});
}

bool is_wait(std::string_view name) {
  return has(name, "Synchronize") ||
         has_any(name,
                 {"urQueueFinish", "urEventWait", "urEventsWait", "piQueueFinish", "piEventsWait"});
}

bool is_copy(std::string_view name) {
  return has_any(name,
                 {"Memcpy",
                  "Memset",
                  "MemcpyAsync",
                  "EnqueueMemBuffer",
                  "EnqueueUSMFill",
                  "AppendMemoryCopy",
                  "AppendMemoryFill"});
}

bool is_allocation(std::string_view name) {
  return has_any(name,
                 {"Malloc",
                  "Free",
                  "HostAlloc",
                  "HostRegister",
                  "HostUnregister",
                  "USMHostAlloc",
                  "USMDeviceAlloc",
                  "USMSharedAlloc",
                  "zeMemAlloc"}) ||
         name.starts_with("cuMem") || name.starts_with("hipMemCreate") ||
         name.starts_with("hipMemMap") || name.starts_with("hipMemUnmap") ||
         name.starts_with("hipMemSetAccess") || name.starts_with("hipMemAddress");
}

}  // namespace

std::string_view call_kind_name(CallKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_async_copy(std::string_view name) {
  return is_copy(name) && !has(name, "Memset") && has(name, "Async");
}

CallKind call_kind_of(std::string_view name) {
  if (is_launch(name)) {
    return CallKind::launch;
  }
  if (is_wait(name)) {
    return CallKind::blocking;
  }
  const bool is_driver_copy = name.starts_with("cuMemcpy") || name.starts_with("cuMemset");
  if (is_copy(name) || is_driver_copy) {
    const bool is_fill = has(name, "Memset") || has(name, "Fill");
    // SYCL and Level Zero only enqueue; CUDA and HIP say Async where they do.
    const bool is_enqueued = has(name, "Async") || has(name, "Enqueue") || has(name, "Append");
    return is_fill || is_enqueued ? CallKind::copy : CallKind::blocking;
  }
  if (has(name, "MemGetInfo") || has(name, "MemGetAddressRange")) {
    return CallKind::rest;
  }
  return is_allocation(name) ? CallKind::allocation : CallKind::rest;
}

namespace {

constexpr std::int64_t kLeastBlockingNs = 20'000, kSurelyBlockingNs = 100'000;
constexpr std::int64_t kTimesMedian = 3;
constexpr std::int64_t kSmallCopyBytes = 65'536;

// By StringId: a name is looked at once.
struct CallNames {
  std::vector<CallKind> kinds;
  std::vector<bool> are_async_copies;
};

CallNames look_at_names(const Timeline& timeline) {
  CallNames names{.kinds = std::vector<CallKind>(timeline.strings.size(), CallKind::rest),
                  .are_async_copies = std::vector<bool>(timeline.strings.size())};
  std::vector<bool> is_looked_at(timeline.strings.size());
  for (const Event& event : timeline.events) {
    if (!is_device_call(event.category) || is_looked_at[event.name]) {
      continue;
    }
    is_looked_at[event.name] = true;
    names.kinds[event.name] = call_kind_of(timeline.name(event));
    names.are_async_copies[event.name] = is_async_copy(timeline.name(event));
  }
  return names;
}

std::int64_t limit_ns(const Timeline& timeline,
                      const Launches& launches,
                      const std::vector<std::uint32_t>& copies) {
  std::vector<std::int64_t> small;
  small.reserve(copies.size());
  for (const std::uint32_t call : copies) {
    const std::uint32_t work = launches.first_work_of[call];
    const CopyDetail* const copy = work == kNone ? nullptr : timeline.copy(timeline.events[work]);
    if (copy != nullptr && copy->bytes >= 0 && copy->bytes <= kSmallCopyBytes) {
      small.push_back(timeline.events[call].duration_ns);
    }
  }
  if (small.empty()) {
    return kLeastBlockingNs;
  }
  const auto middle = small.begin() + static_cast<std::ptrdiff_t>(small.size() / 2);
  std::nth_element(small.begin(), middle, small.end());
  return *middle >= kSurelyBlockingNs
             ? kSurelyBlockingNs
             : std::clamp(kTimesMedian * *middle, kLeastBlockingNs, kSurelyBlockingNs);
}

bool is_pageable(const Timeline& timeline, std::uint32_t work) {
  return work != kNone && timeline.events[work].category == Category::memcpy &&
         timeline.name(timeline.events[work]).find("Pageable") != std::string_view::npos;
}

}  // namespace

CallKinds::CallKinds(const Timeline& timeline, const Launches& launches)
    : kinds_(timeline.events.size(), CallKind::rest) {
  const CallNames names = look_at_names(timeline);
  std::vector<std::uint32_t> copies;
  copies.reserve(64);
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    const Event& call = timeline.events[i];
    if (!is_device_call(call.category)) {
      continue;
    }
    kinds_[i] = names.kinds[call.name];
    if (names.are_async_copies[call.name]) {
      copies.push_back(i);
    }
  }
  blocking_copy_limit_ns_ = limit_ns(timeline, launches, copies);
  for (const std::uint32_t call : copies) {
    if (timeline.events[call].duration_ns > blocking_copy_limit_ns_ ||
        is_pageable(timeline, launches.first_work_of[call])) {
      kinds_[call] = CallKind::blocking;
    }
  }
}

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
