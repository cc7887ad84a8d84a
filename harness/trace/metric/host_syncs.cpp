#include "trace/metric/host_syncs.h"

#include "trace/metric/copies.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"
#include "trace/steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tune::metric {

namespace {

using profile::CallKind;
using profile::Category;
using profile::Event;
using profile::Intervals;
using profile::kNone;

constexpr std::array<MetricName, 2> kScalarNames = {
    {{"small_d2h_count", "count"}, {"small_d2h_blocked_ratio", "ratio"}}};
constexpr std::array<MetricName, 3> kSyncNames = {{{"sync_call_count", "count"},
                                                   {"sync_call_ratio", "ratio"},
                                                   {"idle_after_sync_ratio", "ratio"}}};
constexpr std::array<MetricName, 2> kMemcpyNames = {
    {{"sync_memcpy_count", "count"}, {"sync_memcpy_time", "s"}}};
constexpr std::int64_t kScalarBytes = 1024;
constexpr std::int64_t kUnstagedBytes = 65'536;  // the driver takes as much into its own buffer

bool synchronises(const TraceInput& input, std::uint32_t row) {
  return input.kind_of(row) == CallKind::blocking &&
         input.timeline.name(input.timeline.events[row]).find("Synchronize") !=
             std::string_view::npos;
}

// The copy that a call issued, or nothing.
const Event* issued_copy(const TraceInput& input, std::uint32_t call) {
  const std::uint32_t work = input.launches.first_work_of[call];
  return work != kNone && input.timeline.events[work].category == Category::memcpy
             ? &input.timeline.events[work]
             : nullptr;
}

bool goes(const TraceInput& input, const Event* copy, CopyWay way) {
  return copy != nullptr && copy_way(input.timeline.name(*copy)) == way;
}

bool is_at_most(const TraceInput& input, const Event& copy, std::int64_t bytes) {
  const profile::CopyDetail* const detail = input.timeline.copy(copy);
  return detail != nullptr && detail->bytes >= 0 && detail->bytes <= bytes;
}

// A copy of a scalar to the host, and what the host waited for it.
struct ScalarCopy {
  std::uint32_t call = kNone;
  std::uint32_t sync = kNone;  // the call that synchronises right after it, if one does
  std::int64_t blocked_ns = 0;
  bool blocks = false;
};

std::vector<ScalarCopy> scalar_copies(const TraceInput& input) {
  std::vector<ScalarCopy> copies;
  copies.reserve(64);
  std::vector<std::size_t> last_of_track(input.timeline.tracks.size(), kNone);
  for (const std::uint32_t i : input.calls) {
    const Event& event = input.timeline.events[i];
    if (!input.begins_in_step(i)) {
      continue;
    }
    std::size_t& last = last_of_track[event.track];
    const Event* const copy = issued_copy(input, i);
    if (goes(input, copy, CopyWay::to_host) && is_at_most(input, *copy, kScalarBytes)) {
      last = copies.size();
      copies.push_back({.call = i,
                        .blocked_ns = input.clock.within(event),
                        .blocks = input.kind_of(i) == CallKind::blocking});
    } else if (last != kNone && synchronises(input, i) && input.tree.parent[i] != kNone &&
               input.tree.parent[i] == input.tree.parent[copies[last].call]) {
      copies[last].blocks = true;
      copies[last].sync = i;
      copies[last].blocked_ns += input.clock.within(event);
      last = kNone;
    }
  }
  std::erase_if(copies, [](const ScalarCopy& copy) { return !copy.blocks; });
  return copies;
}

bool is_of_pytorch(std::string_view name) {
  return name.starts_with("aten::");
}

Intervals waits(const TraceInput& input) {
  std::vector<profile::Interval> calls;
  for (const std::uint32_t i : waiting_calls(input)) {
    const Event& event = input.timeline.events[i];
    calls.push_back({event.start_ns, event.end_ns()});
  }
  return profile::unite(std::move(calls));
}

// Idle time of all devices together that begins while the host waits, or in which it does. While
// the loader is at work it belongs to the loader.
std::int64_t idle_after_ns(const TraceInput& input) {
  const Intervals busy = input.partition.any_busy();
  const Intervals waiting = waits(input);
  Intervals idle;
  const auto add = [&idle](std::int64_t begin_ns, std::int64_t end_ns) {
    idle.push_back({begin_ns, end_ns});
  };
  auto wait = waiting.begin();
  for (std::size_t i = 1; i < busy.size(); ++i) {
    const std::int64_t begin_ns = busy[i - 1].end_ns, end_ns = busy[i].begin_ns;
    while (wait != waiting.end() && wait->end_ns < begin_ns) {
      ++wait;
    }
    if (wait != waiting.end() && wait->begin_ns <= begin_ns) {
      add(begin_ns, end_ns);
      continue;
    }
    for (auto at = wait; at != waiting.end() && at->begin_ns < end_ns; ++at) {
      add(at->begin_ns, std::min(at->end_ns, end_ns));
    }
  }
  const Intervals& loading =
      input.partition.covered[static_cast<std::size_t>(profile::Role::data_loading)];
  return length_ns(profile::intersect(profile::subtract(profile::unite(std::move(idle)), loading),
                                      input.partition.steps.covered()));
}

}  // namespace

std::vector<ScalarSync> scalar_syncs(const TraceInput& input) {
  const auto& events = input.timeline.events;
  NamesThat counts(input.timeline, is_of_pytorch);
  // aten::item rather than what it is made of.
  const auto outermost =
      table::outermost_that(input.tree, [&](std::uint32_t row) { return counts(events[row]); });
  std::map<std::string, ScalarSync> by_row;
  for (const ScalarCopy& copy : scalar_copies(input)) {
    const std::uint32_t call = input.tree.row[copy.call];
    const std::uint32_t around = call == kNone ? kNone : outermost[call];
    const std::string row(around == kNone ? "" : input.timeline.name(events[around]));
    ScalarSync& sync = by_row[row];
    sync.host_row = row;
    ++sync.count;
    sync.blocked_ns += copy.blocked_ns;
  }
  std::vector<ScalarSync> syncs;
  syncs.reserve(by_row.size());
  for (const auto& [row, sync] : by_row) {
    syncs.push_back(sync);
  }
  std::stable_sort(syncs.begin(), syncs.end(), [](const ScalarSync& a, const ScalarSync& b) {
    return a.blocked_ns > b.blocked_ns;
  });
  return syncs;
}

std::vector<std::uint32_t> scalar_sync_calls(const TraceInput& input) {
  std::vector<std::uint32_t> calls;
  for (const ScalarCopy& copy : scalar_copies(input)) {
    calls.push_back(copy.call);
    if (copy.sync != kNone) {
      calls.push_back(copy.sync);
    }
  }
  std::sort(calls.begin(), calls.end());
  return calls;
}

std::vector<std::uint32_t> waiting_calls(const TraceInput& input) {
  std::vector<std::uint32_t> calls;
  for (const std::uint32_t i : input.calls) {
    if (synchronises(input, i) || (input.kind_of(i) == CallKind::blocking &&
                                   goes(input, issued_copy(input, i), CopyWay::to_host))) {
      calls.push_back(i);
    }
  }
  return calls;
}

profile::Intervals blocked_times(const TraceInput& input) {
  const std::uint32_t thread = profile::marking_track(input.timeline);
  std::vector<profile::Interval> calls;
  calls.reserve(64);
  for (const std::uint32_t i : input.calls) {
    const Event& event = input.timeline.events[i];
    if (input.kind_of(i) == CallKind::blocking && (thread == kNone || event.track == thread)) {
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  return profile::unite(std::move(calls));
}

std::vector<Metric> scalar_sync_metrics(const TraceInput& input) {
  std::string why = why_no_calls(input);
  if (why.empty()) {
    why = why_no_device_work(input);
  }
  if (!why.empty()) {
    return not_applicable(kScalarNames, why);
  }
  const std::vector<ScalarCopy> copies = scalar_copies(input);
  double blocked_ns = 0;
  for (const ScalarCopy& copy : copies) {
    blocked_ns += static_cast<double>(copy.blocked_ns);
  }
  return over_steps(kScalarNames,
                    {per_step(static_cast<double>(copies.size()), input),
                     blocked_ns / static_cast<double>(input.partition.total_ns())},
                    input);
}

std::vector<Metric> sync_call_metrics(const TraceInput& input) {
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kSyncNames, why);
  }
  double count = 0;
  std::vector<profile::Interval> calls;
  calls.reserve(64);
  for (const std::uint32_t i : input.calls) {
    if (synchronises(input, i)) {
      const Event& event = input.timeline.events[i];
      count += input.begins_in_step(i) ? 1 : 0;
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  const Intervals within =
      profile::intersect(profile::unite(std::move(calls)), input.partition.steps.covered());
  const auto steps_ns = static_cast<double>(input.partition.total_ns());
  std::vector<Metric> metrics = over_steps(kSyncNames,
                                           {per_step(count, input),
                                            static_cast<double>(length_ns(within)) / steps_ns,
                                            static_cast<double>(idle_after_ns(input)) / steps_ns},
                                           input);
  if (const std::string why = why_no_device_work(input); !why.empty()) {
    metrics.back() = not_applicable(kSyncNames.back(), why);
  }
  return metrics;
}

bool copies_and_waits(std::string_view call) {
  return call.find("Memcpy") != std::string_view::npos &&
         profile::call_kind_of(call) == CallKind::blocking;
}

std::vector<Metric> sync_memcpy_metrics(const TraceInput& input) {
  if (const std::string why = why_no_calls(input); !why.empty()) {
    return not_applicable(kMemcpyNames, why);
  }
  double count = 0, seconds = 0;
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) != CallKind::blocking || !input.begins_in_step(i)) {
      continue;
    }
    const Event& event = input.timeline.events[i];
    if (!copies_and_waits(input.timeline.name(event))) {
      continue;
    }
    const Event* const copy = issued_copy(input, i);
    if (!goes(input, copy, CopyWay::to_device) || !is_at_most(input, *copy, kUnstagedBytes)) {
      ++count;
      seconds += static_cast<double>(input.clock.within(event)) * 1e-9;
    }
  }
  return over_steps(kMemcpyNames, {per_step(count, input), per_step(seconds, input)}, input);
}

}  // namespace tune::metric
