#include "trace/metric/other_phase.h"

#include "trace/metric/host_syncs.h"
#include "trace/metric/irregular_gaps.h"
#include "trace/metric/layers.h"
#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <utility>

namespace tune::metric {

namespace {

using profile::Event;
using profile::Interval;
using profile::Intervals;
using profile::kNone;
using table::Phase;

constexpr std::int64_t kLeastNs = 100'000;
// The kernel gives the core to somebody else for some ms, and so long does Python's collector take.
constexpr std::int64_t kLeastOnceNs = 10'000'000;
constexpr std::size_t kStepsPerRecurrence = 10;

// What a row of the host does for the training: a phase, or one of these.
using Kind = std::uint8_t;
constexpr Kind kNothing = static_cast<Kind>(Phase::other);
constexpr Kind kIssues = kNothing + 1;     // work of a device, in no phase
constexpr Kind kGradients = kNothing + 2;  // between backward and optimizer

// Rows of one kind on one thread in one step, one after another.
struct Stretch {
  Kind kind = kNothing;
  std::uint32_t step = kNone;
  Interval interval;
};

// Ranges that the training's own code opens, steps among them, tell nothing of what is in them.
bool is_of_dispatcher(std::string_view name) {
  return name.find("::") != std::string_view::npos;
}

// By event: calls that issue anything but copies to the host, and the operators around them.
void mark_issuing(const TraceInput& input, NamesThat& is_operator, std::vector<Kind>& kinds) {
  for (const std::uint32_t i : input.device_work) {
    const Event& work = input.timeline.events[i];
    const bool is_to_host = work.category == profile::Category::memcpy &&
                            input.timeline.name(work).find("DtoH") != std::string_view::npos;
    for (std::uint32_t row = is_to_host ? kNone : input.issuing_row[i];
         row != kNone && kinds[row] == kNothing &&
         (profile::is_device_call(input.timeline.events[row].category) ||
          is_operator(input.timeline.events[row]));
         row = input.tree.parent[row]) {
      kinds[row] = kIssues;
    }
  }
}

// The first and the last row of backward in each step, and where the optimizer begins.
struct Handover {
  std::int64_t backward_begin_ns = 0, backward_ns = 0, optimizer_ns = 0;
  std::uint32_t optimizer_track = kNone;
};

std::vector<Handover> handovers(const TraceInput& input) {
  std::vector<Handover> by_step(input.partition.steps.steps.size());
  for (std::uint32_t i = 0; i < input.phases.size(); ++i) {
    if (!input.begins_in_step(i) || !input.tree.is_row(i)) {
      continue;
    }
    Handover& step = by_step[input.step_of[i]];
    const Event& event = input.timeline.events[i];
    if (input.phases[i] == Phase::backward && step.optimizer_track == kNone) {
      step.backward_begin_ns =
          step.backward_ns == 0 ? event.start_ns : std::min(step.backward_begin_ns, event.start_ns);
      step.backward_ns = std::max(step.backward_ns, event.end_ns());
    } else if (input.phases[i] == Phase::optimizer && step.optimizer_track == kNone) {
      step.optimizer_ns = event.start_ns;
      step.optimizer_track = event.track;
    }
  }
  return by_step;
}

std::vector<Kind> kinds_of_rows(const TraceInput& input) {
  std::vector<Kind> kinds(input.phases.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i] = static_cast<Kind>(input.phases[i]);
  }
  NamesThat is_operator(input.timeline, is_of_dispatcher);
  mark_issuing(input, is_operator, kinds);
  const std::vector<Handover> by_step = handovers(input);
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    const Event& event = input.timeline.events[i];
    if ((kinds[i] != kNothing && kinds[i] != kIssues) || !input.begins_in_step(i) ||
        event.category != profile::Category::cpu_op || !is_operator(event)) {
      continue;
    }
    const Handover& step = by_step[input.step_of[i]];
    const bool is_between = step.backward_ns > 0 && event.track == step.optimizer_track &&
                            event.start_ns >= step.backward_ns &&
                            event.end_ns() <= step.optimizer_ns;
    // loss.backward() makes the first gradient itself: ones in the shape of the loss.
    const bool is_first_gradient =
        input.timeline.name(event) == "aten::ones_like" && event.end_ns() <= step.backward_begin_ns;
    kinds[i] = is_between          ? kGradients
               : is_first_gradient ? static_cast<Kind>(Phase::backward)
                                   : kinds[i];
  }
  return kinds;
}

// What lies between the last operator of forward and backward is the start of backward.
bool begins_backward(const Stretch& stretch, Kind next, std::uint32_t step) {
  return stretch.kind == static_cast<Kind>(Phase::forward) &&
         next == static_cast<Kind>(Phase::backward) && stretch.step == step;
}

std::vector<Interval> stretches(const TraceInput& input) {
  const std::vector<Kind> kinds = kinds_of_rows(input);
  std::vector<Stretch> open(input.timeline.tracks.size());
  std::vector<Interval> done;
  done.reserve(64);
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {  // by start
    const Event& event = input.timeline.events[i];
    if (!input.tree.is_row(i)) {
      continue;
    }
    Stretch& stretch = open[event.track];
    const bool is_operator = event.category == profile::Category::cpu_op;
    const bool ends = kinds[i] == kNothing
                          ? is_operator && event.start_ns >= stretch.interval.end_ns
                          : kinds[i] != stretch.kind || input.step_of[i] != stretch.step;
    if (ends) {
      done.push_back(stretch.interval);
      const std::int64_t begin_ns = begins_backward(stretch, kinds[i], input.step_of[i])
                                        ? stretch.interval.end_ns
                                        : event.start_ns;
      stretch = {kinds[i], input.step_of[i], {begin_ns, begin_ns}};
    }
    if (kinds[i] != kNothing) {
      stretch.interval.end_ns = std::max(stretch.interval.end_ns, event.end_ns());
    }
  }
  for (const Stretch& stretch : open) {
    done.push_back(stretch.interval);
  }
  return done;
}

// When the host waits in a call for a device. Threads other than the one that trains may wait for
// hours for nothing.
Intervals waits_for_device(const TraceInput& input) {
  std::vector<Interval> calls;
  calls.reserve(64);
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) == profile::CallKind::blocking) {
      const Event& event = input.timeline.events[i];
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  return profile::unite(
      blocked_times(input),
      profile::intersect(profile::unite(std::move(calls)), input.partition.any_busy()));
}

std::string why_no_phases(const TraceInput& input) {
  std::string why = why_no_steps(input);
  if (why.empty()) {
    why = why_no_marked_steps(input);
  }
  const bool is_any = std::any_of(input.phases.begin(), input.phases.end(), [](Phase phase) {
    return phase == Phase::forward || phase == Phase::backward || phase == Phase::optimizer;
  });
  return why.empty() && !is_any ? "nothing marks forward, backward or optimizer" : why;
}

// Names a stretch of time by the rows of the host in it or before it.
class Neighbours {
 public:
  explicit Neighbours(const TraceInput& input) : input_(input) {}

  struct Rows {
    std::uint32_t inside = kNone;  ///< the shortest that covers half of it
    std::uint32_t before = kNone;  ///< the last one that ended
  };

  Rows rows_of(const Interval& part) const {
    Rows rows;
    for (std::uint32_t i = 0; i < input_.timeline.events.size(); ++i) {
      const Event& event = input_.timeline.events[i];
      if (event.start_ns >= part.end_ns) {
        break;
      }
      if (!input_.tree.is_row(i) || profile::is_device_call(event.category) ||
          profile::marks_step(input_.timeline.name(event))) {
        continue;
      }
      const std::int64_t covered_ns =
          std::min(event.end_ns(), part.end_ns) - std::max(event.start_ns, part.begin_ns);
      const bool is_shorter = rows.inside == kNone ||
                              event.duration_ns < input_.timeline.events[rows.inside].duration_ns;
      rows.inside = 2 * covered_ns >= part.length_ns() && is_shorter ? i : rows.inside;
      const bool is_later =
          rows.before == kNone || event.end_ns() >= input_.timeline.events[rows.before].end_ns();
      rows.before = event.end_ns() <= part.begin_ns && is_later ? i : rows.before;
    }
    return rows;
  }

  std::string name_of(const Interval& part) const {
    const auto [inside, before] = rows_of(part);
    return inside != kNone ? std::string(input_.timeline.name(input_.timeline.events[inside]))
           : before != kNone
               ? "after " + std::string(input_.timeline.name(input_.timeline.events[before]))
               : "no row of the host";
  }

 private:
  const TraceInput& input_;
};

// The first and the last step have what the profiler does to start and to stop: time without any
// row that no step between them has.
void drop_edges(const TraceInput& input, Intervals& outside) {
  const auto& steps = input.partition.steps.steps;
  if (steps.size() < 3) {
    return;
  }
  const Interval inner = {steps.front().interval.end_ns, steps.back().interval.begin_ns};
  const auto is_inner = [&inner](const Interval& part) {
    return part.begin_ns >= inner.begin_ns && part.end_ns <= inner.end_ns;
  };
  std::int64_t longest_ns = 0;
  for (const Interval& part : outside) {
    longest_ns = is_inner(part) ? std::max(longest_ns, part.length_ns()) : longest_ns;
  }
  const auto is_longer = [&](const Interval& part) {
    return !is_inner(part) && part.length_ns() > longest_ns;
  };
  constexpr std::ptrdiff_t kMost = 8;  // more of them are not one start and one stop
  if (std::count_if(outside.begin(), outside.end(), is_longer) > kMost) {
    return;
  }
  const Neighbours neighbours(input);
  std::erase_if(outside, [&](const Interval& part) {
    return is_longer(part) && neighbours.rows_of(part).inside == kNone;
  });
}

constexpr const char* kNoForward = "nothing marks the forward pass";

bool knows_forward(const TraceInput& input) {
  return std::find(input.phases.begin(), input.phases.end(), Phase::forward) != input.phases.end();
}

struct Outside {
  Intervals parts;
  std::int64_t irregular_ns = 0;  // of take_irregular_gaps(); not among the parts
};

Outside outside_of_phases(const TraceInput& input) {
  const Intervals trained =
      profile::unite(profile::unite(stretches(input)), waits_for_device(input));
  Intervals outside = profile::subtract(input.partition.steps.covered(), trained);
  std::erase_if(outside, [](const Interval& part) { return part.length_ns() < kLeastNs; });
  drop_edges(input, outside);
  const std::int64_t irregular_ns = take_irregular_gaps(input, outside);
  const std::size_t least = 1 + input.partition.steps.steps.size() / kStepsPerRecurrence;
  if (outside.size() < least) {
    std::erase_if(outside, [](const Interval& part) { return part.length_ns() < kLeastOnceNs; });
  }
  return {std::move(outside), irregular_ns};
}

}  // namespace

Metric other_phase_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"other_phase_ratio", "ratio"};
  if (const std::string why = why_no_phases(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  return share_of_steps(std::string(kName.id), length_ns(outside_of_phases(input).parts), input);
}

Metric irregular_gap_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"irregular_gap_ratio", "ratio"};
  if (const std::string why = why_no_phases(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  return share_of_steps(std::string(kName.id), outside_of_phases(input).irregular_ns, input);
}

Metric other_layer_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"other_layer_ratio", "ratio"};
  if (const std::string why = why_no_phases(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  if (!knows_forward(input)) {
    return not_applicable(kName, kNoForward);
  }
  const Intervals outside = outside_of_phases(input).parts;
  const std::int64_t all_ns = length_ns(outside);
  if (all_ns == 0) {
    return not_applicable(kName, "all of the steps is forward, backward or optimizer");
  }
  NamesThat computes(input.timeline, is_layer);
  std::vector<Interval> rows;
  for (const Event& event : input.timeline.events) {
    if (event.category == profile::Category::cpu_op && computes(event)) {
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  const std::int64_t ns = length_ns(profile::intersect(profile::unite(std::move(rows)), outside));
  return over_steps(kName, static_cast<double>(ns) / static_cast<double>(all_ns), input);
}

Metric other_layer_device_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"other_layer_device_ratio", "ratio"};
  std::string why = why_no_phases(input);
  why = why.empty() ? why_no_kernels(input) : why;
  why = why.empty() && !knows_forward(input) ? kNoForward : why;
  if (!why.empty()) {
    return not_applicable(kName, why);
  }
  NamesThat computes(input.timeline, is_layer);
  const std::vector<std::uint32_t> layers = table::innermost_that(
      input.tree, [&](std::uint32_t row) { return computes(input.timeline.events[row]); });
  std::vector<Interval> kernels;
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t issuing = input.issuing_row[i];
    const Event& event = input.timeline.events[i];
    if (event.category == profile::Category::kernel && issuing != kNone &&
        input.phases[issuing] == Phase::other && layers[issuing] != kNone) {
      kernels.push_back({event.start_ns, event.end_ns()});
    }
  }
  const Intervals within =
      profile::intersect(profile::unite(std::move(kernels)), input.partition.steps.covered());
  return share_of_steps(std::string(kName.id), length_ns(within), input);
}

std::vector<OtherPart> other_parts(const TraceInput& input, std::size_t most) {
  if (!why_no_phases(input).empty()) {
    return {};
  }
  Intervals outside = outside_of_phases(input).parts;
  std::stable_sort(outside.begin(), outside.end(), [](const Interval& a, const Interval& b) {
    return a.length_ns() > b.length_ns();
  });
  outside.resize(std::min(outside.size(), most));
  const Neighbours neighbours(input);
  std::vector<OtherPart> parts;
  parts.reserve(outside.size());
  for (const Interval& part : outside) {
    parts.push_back({part, neighbours.name_of(part)});
  }
  return parts;
}

}  // namespace tune::metric
