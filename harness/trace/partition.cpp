#include "trace/partition.h"

#include "base/assert.h"

#include <numeric>
#include <utility>

namespace tune::profile {

namespace {

constexpr std::size_t index(Role role) {
  return static_cast<std::size_t>(role);
}

// When any row of each role ran, and any work of each device.
void collect(const Timeline& timeline, Partition& partition) {
  const RoleOfEvent role_of(timeline);
  std::array<std::vector<Interval>, kRolesOfRows> intervals;
  std::map<std::int32_t, std::vector<Interval>> devices;
  for (const Event& event : timeline.events) {
    const auto role = role_of(event);
    if (!role) {
      continue;
    }
    ++partition.rows[index(*role)];
    intervals[index(*role)].push_back({event.start_ns, event.end_ns()});
    if (is_device_work(event.category)) {
      devices[timeline.track(event).device].push_back({event.start_ns, event.end_ns()});
    }
    partition.has_device_rows = partition.has_device_rows || *role < kFirstHostRole;
  }
  for (std::size_t i = 0; i < kRolesOfRows; ++i) {
    partition.covered[i] = unite(std::move(intervals[i]));
  }
  for (auto& [device, work] : devices) {
    partition.device_busy[device] = unite(std::move(work));
  }
}

void add_part(Partition& partition,
              std::size_t role,
              const Intervals& part,
              const std::vector<Interval>& steps) {
  const auto exposed = lengths_within(part, steps);
  const auto whole = role < kRolesOfRows ? lengths_within(partition.covered[role], steps) : exposed;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    partition.parts[i].exposed_ns[role] = exposed[i];
    partition.parts[i].overlapped_ns[role] = whole[i] - exposed[i];
    partition.total.exposed_ns[role] += exposed[i];
    partition.total.overlapped_ns[role] += whole[i] - exposed[i];
  }
}

void assert_exact(const Partition& partition) {
  for (std::size_t i = 0; i < partition.parts.size(); ++i) {
    const RoleTimes& parts = partition.parts[i].exposed_ns;
    TUNE_ASSERT(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) ==
                partition.steps.steps[i].interval.length_ns());
  }
}

std::int64_t tail_ns(const Partition& partition) {
  if (partition.steps.steps.empty()) {
    return 0;
  }
  const std::int64_t end_ns = partition.steps.steps.back().interval.end_ns;
  return length_ns(intersect(partition.any_busy(),
                             Intervals{{end_ns, std::numeric_limits<std::int64_t>::max()}}));
}

// A host whose own rows were not recorded, or that only queues work, may close its marks before
// devices begin. Such marks do not show a step.
bool holds_work_of_devices(const Steps& steps, const Intervals& busy) {
  constexpr std::int64_t kLeastPart = 10;
  if (!steps.are_known || busy.empty()) {
    return true;
  }
  const std::int64_t worked_ns = length_ns(intersect(busy, steps.covered()));
  return worked_ns >= length_ns(busy) / kLeastPart ||
         steps.total_ns() >= (busy.back().end_ns - busy.front().begin_ns) / kLeastPart;
}

}  // namespace

Intervals Partition::any_busy() const {
  if (device_busy.size() == 1) {
    return device_busy.begin()->second;
  }
  std::vector<Interval> all;
  for (const auto& [device, busy] : device_busy) {
    all.insert(all.end(), busy.begin(), busy.end());
  }
  return unite(std::move(all));
}

Partition partition_steps(const Timeline& timeline) {
  Partition partition;
  partition.steps = find_steps(timeline);
  collect(timeline, partition);
  if (!holds_work_of_devices(partition.steps, partition.any_busy())) {
    const bool are_marked = partition.steps.inferred_from.empty();
    partition.steps = whole_trace(timeline);
    partition.steps.are_passed_over = are_marked;
  }
  partition.parts.resize(partition.steps.steps.size());
  const std::vector<Interval> steps = partition.steps.intervals();
  Intervals rest = partition.steps.covered();
  for (std::size_t role = 0; role < kRolesOfRows; ++role) {
    const Intervals part = intersect(rest, partition.covered[role]);
    add_part(partition, role, part, steps);
    rest = subtract(rest, part);
  }
  add_part(partition, index(Role::other), rest, steps);
  assert_exact(partition);
  const Intervals covered = partition.steps.covered();
  const Intervals& kernels = partition.covered[index(Role::kernel)];
  const Intervals& communication = partition.covered[index(Role::communication)];
  partition.communication_beside_kernels_ns =
      length_ns(intersect(covered, subtract(communication, kernels)));
  partition.copies_beside_both_ns = length_ns(intersect(
      covered, subtract(partition.covered[index(Role::memcpy)], unite(kernels, communication))));
  partition.device_tail_ns = tail_ns(partition);
  return partition;
}

}  // namespace tune::profile
