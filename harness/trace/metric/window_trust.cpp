#include "trace/metric/window_trust.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tune::metric {

namespace {

using profile::CallKind;
using profile::Category;
using profile::Event;
using profile::Intervals;

constexpr std::array<MetricName, 7> kNames = {{{"startup_ratio", "ratio"},
                                               {"recompile_ratio", "ratio"},
                                               {"graph_capture_count", "count"},
                                               {"unrecorded_wait_ratio", "ratio"},
                                               {"recorded_row_count", "count"},
                                               {"device_idle_ratio", "ratio"},
                                               {"python_frame_count", "count"}}};

// Ours. A call that is made again and again takes about as long each time.
constexpr std::int64_t kLeastStartNs = 1'000'000;
constexpr std::int64_t kLeastOnlyStartNs = 10'000'000;  // of a call that is made a few times
constexpr std::size_t kFewCalls = 3;
constexpr std::int64_t kTimesUsual = 20;
constexpr std::int64_t kLeastWaitNs = 1'000'000;

bool has_word(std::string_view name, std::string_view word) {
  return name.find(word) != std::string_view::npos;
}

bool waits_by_name(std::string_view name) {
  return has_word(name, "ynchronize") || has_word(name, "Wait") || has_word(name, "Query");
}

// What the profiler's own rows say of work that is done once.
bool is_loading(Category category, std::string_view name) {
  return category == Category::overhead && (has_word(name, "Loading") || has_word(name, "Compile"));
}

// torch.compile at work.
bool is_compiling(Category category, std::string_view name) {
  return (category == Category::user_annotation || category == Category::cpu_op) &&
         name.ends_with("(dynamo_timed)") &&
         (has_word(name, "compile") || has_word(name, ".record"));
}

std::int64_t middle_of(std::vector<std::int64_t> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

std::int64_t median_ns(const TraceInput& input, const std::vector<std::uint32_t>& calls) {
  std::vector<std::int64_t> times;
  times.reserve(calls.size());
  for (const std::uint32_t i : calls) {
    times.push_back(input.timeline.events[i].duration_ns);
  }
  return middle_of(std::move(times));
}

// Calls that are still slow in the second half of the window do not belong to the start: every step
// makes them.
bool come_again(const TraceInput& input, const std::vector<std::uint32_t>& slow) {
  const auto& steps = input.partition.steps.steps;
  if (slow.size() <= kFewCalls || steps.empty()) {
    return false;
  }
  const std::int64_t begin_ns = steps.front().interval.begin_ns;
  const std::int64_t end_ns = steps.back().interval.end_ns;
  return input.timeline.events[slow.back()].start_ns - begin_ns > (end_ns - begin_ns) / 2;
}

// The first launch of a kernel loads its code. A launch that waits in a full queue is covered by
// work of the device.
std::vector<std::uint32_t> slow_first_launches(const TraceInput& input) {
  std::unordered_set<profile::StringId> launched;
  std::vector<std::uint32_t> slow;
  std::int64_t fastest_ns = std::numeric_limits<std::int64_t>::max();
  for (const std::uint32_t i : input.calls) {
    const std::uint32_t work = input.launches.first_work_of[i];
    if (input.kind_of(i) != CallKind::launch || work == profile::kNone) {
      continue;
    }
    const Event& call = input.timeline.events[i];
    fastest_ns = std::min(fastest_ns, call.duration_ns);
    if (launched.insert(input.timeline.events[work].name).second &&
        call.duration_ns >= kLeastStartNs) {
      slow.push_back(i);
    }
  }
  std::erase_if(slow, [&](std::uint32_t i) {
    return input.timeline.events[i].duration_ns / kTimesUsual < fastest_ns;
  });
  return slow;
}

std::vector<profile::Interval> first_calls(const TraceInput& input) {
  std::unordered_map<profile::StringId, std::vector<std::uint32_t>> names;
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) != CallKind::blocking) {
      names[input.timeline.events[i].name].push_back(i);
    }
  }
  std::vector<std::uint32_t> first = slow_first_launches(input);
  for (const auto& [name, calls] : names) {
    if (waits_by_name(input.timeline.strings.text(name))) {
      continue;
    }
    const bool are_few = calls.size() <= kFewCalls;
    const std::int64_t usual_ns = are_few ? 0 : median_ns(input, calls);
    const std::int64_t least_ns = are_few ? kLeastOnlyStartNs : kLeastStartNs;
    std::vector<std::uint32_t> slow;  // against what is usual
    for (const std::uint32_t i : calls) {
      const std::int64_t ns = input.timeline.events[i].duration_ns;
      if (ns >= least_ns && ns / kTimesUsual >= usual_ns) {
        slow.push_back(i);
      }
    }
    if (!come_again(input, slow)) {
      first.insert(first.end(), slow.begin(), slow.end());
    }
  }
  std::vector<profile::Interval> intervals;
  intervals.reserve(first.size());
  for (const std::uint32_t i : first) {
    const Event& event = input.timeline.events[i];
    intervals.push_back({event.start_ns, event.end_ns()});
  }
  return intervals;
}

// A start compiles in the first steps: what compiles in a later one as well does it for what
// changes, such as shapes.
bool compiles_again(const TraceInput& input, const std::vector<std::uint32_t>& rows) {
  std::unordered_set<std::uint32_t> steps;
  for (const std::uint32_t i : rows) {
    if (input.begins_in_step(i)) {
      steps.insert(input.step_of[i]);
    }
  }
  const std::size_t half = input.partition.steps.steps.size() / 2;
  return steps.size() > 1 &&
         std::any_of(steps.begin(), steps.end(), [&](std::uint32_t step) { return step > half; });
}

// What the first step takes longer than a typical one, as by cuDNN's search, which no row names.
std::int64_t first_step_excess_ns(const TraceInput& input) {
  constexpr std::size_t kFewestSteps = 3;
  constexpr std::int64_t kTimesTypical = 10;
  const auto& steps = input.partition.steps.steps;
  if (!input.partition.steps.are_known || steps.size() < kFewestSteps) {
    return 0;
  }
  std::vector<std::int64_t> others;
  others.reserve(steps.size());
  for (std::size_t i = 1; i < steps.size(); ++i) {
    others.push_back(steps[i].interval.length_ns());
  }
  const std::int64_t typical_ns = middle_of(std::move(others));
  const std::int64_t first_ns = steps.front().interval.length_ns();
  return first_ns / kTimesTypical > typical_ns ? first_ns - typical_ns : 0;
}

struct Preparing {
  std::int64_t startup_ns = 0, recompile_ns = 0;
};

Preparing preparing(const TraceInput& input, const Intervals& busy) {
  std::vector<profile::Interval> once = first_calls(input), compiling;
  std::vector<std::uint32_t> compiling_rows;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const Event& event = input.timeline.events[i];
    const std::string_view name = input.timeline.name(event);
    if (is_loading(event.category, name)) {
      once.push_back({event.start_ns, event.end_ns()});
    } else if (is_compiling(event.category, name)) {
      compiling.push_back({event.start_ns, event.end_ns()});
      compiling_rows.push_back(i);
    }
  }
  const Intervals steps = input.partition.steps.covered();
  const auto within = [&](std::vector<profile::Interval> rows) {
    return profile::intersect(profile::subtract(profile::unite(std::move(rows)), busy), steps);
  };
  Preparing found;
  if (compiles_again(input, compiling_rows)) {
    const Intervals again = within(std::move(compiling));
    found.recompile_ns = length_ns(again);
    found.startup_ns = length_ns(profile::subtract(within(std::move(once)), again));
  } else {
    once.insert(once.end(), compiling.begin(), compiling.end());
    found.startup_ns = length_ns(within(std::move(once)));
  }
  found.startup_ns = std::max(found.startup_ns, first_step_excess_ns(input));
  return found;
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

// A share of the steps; where none is marked, of the time from the first work to the last.
double idle_ratio(const TraceInput& input, const Intervals& busy) {
  Intervals window = input.partition.steps.covered();
  if (!input.partition.steps.are_known && !busy.empty()) {  // work may take no time
    window = profile::intersect(window, {{busy.front().begin_ns, busy.back().end_ns}});
  }
  const auto idle_ns = static_cast<double>(length_ns(profile::subtract(window, busy)));
  return idle_ns / static_cast<double>(std::max(length_ns(window), std::int64_t{1}));
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
  const Preparing found = preparing(input, busy);
  const auto total_ns = static_cast<double>(input.partition.total_ns());
  std::vector<Metric> metrics = over_steps(kNames,
                                           {static_cast<double>(found.startup_ns) / total_ns,
                                            static_cast<double>(found.recompile_ns) / total_ns,
                                            static_cast<double>(captured_graphs(input)),
                                            0,
                                            per_step(recorded_rows(input), input),
                                            0,
                                            per_step(python_frames(input), input)},
                                           input);
  const std::string no_calls = why_no_calls(input);
  const std::string no_work = why_no_device_work(input);
  if (!no_calls.empty()) {
    metrics[2] = not_applicable(kNames[2], no_calls);
  }
  const std::string no_waits = no_calls.empty() ? no_work : no_calls;
  metrics[3] =
      no_waits.empty()
          ? share_of_steps(std::string(kNames[3].id), unrecorded_wait_ns(input, busy), input)
          : not_applicable(kNames[3], no_waits);
  metrics[5] = no_work.empty() ? over_steps(kNames[5], idle_ratio(input, busy), input)
                               : not_applicable(kNames[5], no_work);
  return metrics;
}

}  // namespace tune::metric
