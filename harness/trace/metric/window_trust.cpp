#include "trace/metric/window_trust.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tune::metric {

namespace {

using profile::CallKind;
using profile::Category;
using profile::Event;
using profile::Intervals;

constexpr std::array<MetricName, 6> kNames = {{{"startup_ratio", "ratio"},
                                               {"graph_capture_count", "count"},
                                               {"unrecorded_wait_ratio", "ratio"},
                                               {"recorded_row_count", "count"},
                                               {"device_idle_ratio", "ratio"},
                                               {"python_frame_count", "count"}}};

// Ours. A call that is made again and again takes about as long each time.
constexpr std::int64_t kLeastStartNs = 1'000'000;
constexpr std::int64_t kLeastOnlyStartNs = 10'000'000;  // of a call that is made once
constexpr std::int64_t kTimesMedian = 20;
constexpr std::int64_t kLeastWaitNs = 1'000'000;

bool has_word(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

bool waits_by_name(std::string_view name) {
  return has_word(name, "ynchronize") || has_word(name, "Wait") || has_word(name, "Query");
}

// What torch.compile and the profiler's own rows say of work that is done once.
bool prepares_once(Category category, std::string_view name) {
  switch (category) {
    case Category::overhead:
      return has_word(name, "Loading") || has_word(name, "Compile");
    case Category::user_annotation:
    case Category::cpu_op:
      return name.ends_with("(dynamo_timed)") &&
             (has_word(name, "compile") || has_word(name, ".record"));
    default:
      return false;
  }
}

using TimesOfName = std::unordered_map<profile::StringId, std::vector<std::int64_t>>;

// By name of a call that is not meant to wait: how long it usually takes; 0 when it is made once.
std::unordered_map<profile::StringId, std::int64_t> usual_times(const TraceInput& input) {
  TimesOfName times;
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) != CallKind::blocking) {
      const Event& event = input.timeline.events[i];
      times[event.name].push_back(event.duration_ns);
    }
  }
  std::unordered_map<profile::StringId, std::int64_t> usual;
  usual.reserve(times.size());
  for (auto& [name, all] : times) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    usual[name] = all.size() == 1 ? 0 : *middle;
  }
  return usual;
}

std::vector<profile::Interval> first_calls(const TraceInput& input) {
  const auto usual = usual_times(input);
  std::vector<profile::Interval> calls;
  for (const std::uint32_t i : input.calls) {
    const Event& event = input.timeline.events[i];
    if (event.duration_ns < kLeastStartNs || input.kind_of(i) == CallKind::blocking ||
        waits_by_name(input.timeline.name(event))) {
      continue;
    }
    const std::int64_t usual_ns = usual.at(event.name);
    if (usual_ns == 0 ? event.duration_ns >= kLeastOnlyStartNs
                      : event.duration_ns / kTimesMedian >= usual_ns) {
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  return calls;
}

std::int64_t startup_ns(const TraceInput& input, const Intervals& busy) {
  std::vector<profile::Interval> rows = first_calls(input);
  for (const Event& event : input.timeline.events) {
    if (prepares_once(event.category, input.timeline.name(event))) {
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  const Intervals starting = profile::subtract(profile::unite(std::move(rows)), busy);
  return length_ns(profile::intersect(starting, input.partition.steps.covered()));
}

std::int64_t captured_graphs(const TraceInput& input) {
  return std::count_if(input.calls.begin(), input.calls.end(), [&](std::uint32_t i) {
    return input.begins_in_step(i) &&
           has_word(input.timeline.name(input.timeline.events[i]), "GraphInstantiate");
  });
}

std::int64_t unrecorded_wait_ns(const TraceInput& input, const Intervals& busy) {
  std::vector<profile::Interval> calls;
  for (const std::uint32_t i : input.calls) {
    const Event& event = input.timeline.events[i];
    if (event.duration_ns >= kLeastWaitNs && input.kind_of(i) == CallKind::blocking) {
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  const Intervals waits = profile::subtract(profile::unite(std::move(calls)), busy);
  std::int64_t sum_ns = 0;
  for (const profile::Interval& wait : profile::intersect(waits, input.partition.steps.covered())) {
    sum_ns += wait.length_ns() >= kLeastWaitNs ? wait.length_ns() : 0;
  }
  return sum_ns;
}

double recorded_rows(const TraceInput& input) {
  double rows = 0;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const Category category = input.timeline.events[i].category;
    const bool is_work = category == Category::cpu_op || profile::is_device_call(category) ||
                         profile::is_device_work(category);
    rows += is_work && input.begins_in_step(i) ? 1 : 0;
  }
  return rows;
}

std::int64_t idle_ns(const TraceInput& input, const Intervals& busy) {
  Intervals window = input.partition.steps.covered();
  if (!input.partition.steps.are_marked && !busy.empty()) {  // work may take no time
    window = profile::intersect(window, {{busy.front().begin_ns, busy.back().end_ns}});
  }
  return length_ns(profile::subtract(window, busy));
}

double python_frames(const TraceInput& input) {
  const auto kept = static_cast<double>(input.timeline.frames.size());
  return kept +
         static_cast<double>(input.timeline.notes.of(profile::NoteKind::python_function).count);
}

}  // namespace

std::vector<Metric> window_trust(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const Intervals busy = input.partition.any_busy();
  std::vector<Metric> metrics = over_steps(kNames,
                                           {static_cast<double>(startup_ns(input, busy)) /
                                                static_cast<double>(input.partition.total_ns()),
                                            static_cast<double>(captured_graphs(input)),
                                            0,
                                            per_step(recorded_rows(input), input),
                                            0,
                                            per_step(python_frames(input), input)},
                                           input);
  const std::string no_calls = why_no_calls(input);
  const std::string no_work = why_no_device_work(input);
  if (!no_calls.empty()) {
    metrics[1] = not_applicable(kNames[1], no_calls);
  }
  const std::string no_waits = no_calls.empty() ? no_work : no_calls;
  metrics[2] =
      no_waits.empty()
          ? share_of_steps(std::string(kNames[2].id), unrecorded_wait_ns(input, busy), input)
          : not_applicable(kNames[2], no_waits);
  metrics[4] = no_work.empty()
                   ? share_of_steps(std::string(kNames[4].id), idle_ns(input, busy), input)
                   : not_applicable(kNames[4], no_work);
  return metrics;
}

}  // namespace tune::metric
