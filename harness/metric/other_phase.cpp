#include "metric/other_phase.h"

#include "metric/why_missing.h"
#include "table/phase_table.h"

#include <algorithm>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;
using table::Phase;

// Rows of one phase on one thread in one step, one after another.
struct Stretch {
  Phase phase = Phase::other;
  std::uint32_t step = kNone;
  profile::Interval interval;
};

std::vector<profile::Interval> stretches(const TraceInput& input,
                                         const std::vector<Phase>& phases) {
  std::vector<Stretch> open(input.timeline.tracks.size());
  std::vector<profile::Interval> done;
  done.reserve(64);
  for (std::uint32_t i = 0; i < phases.size(); ++i) {  // by start
    const profile::Event& event = input.timeline.events[i];
    if (!input.tree.is_row(i)) {
      continue;
    }
    Stretch& stretch = open[event.track];
    const bool is_operator = event.category == profile::Category::cpu_op;
    const bool ends = phases[i] == Phase::other
                          ? is_operator && event.start_ns >= stretch.interval.end_ns
                          : phases[i] != stretch.phase || input.step_of[i] != stretch.step;
    if (ends) {
      done.push_back(stretch.interval);
      stretch = {phases[i], input.step_of[i], {event.start_ns, event.start_ns}};
    }
    if (phases[i] != Phase::other) {
      stretch.interval.end_ns = std::max(stretch.interval.end_ns, event.end_ns());
    }
  }
  for (const Stretch& stretch : open) {
    done.push_back(stretch.interval);
  }
  return done;
}

// When the host waits in a call for a device that works: that is no work of the host.
profile::Intervals waits_for_work(const TraceInput& input) {
  std::vector<profile::Interval> calls;
  calls.reserve(64);
  for (const std::uint32_t i : input.calls) {
    if (input.kind_of(i) == profile::CallKind::blocking) {
      const profile::Event& event = input.timeline.events[i];
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  return profile::intersect(profile::unite(std::move(calls)), input.partition.any_busy());
}

}  // namespace

Metric other_phase_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"other_phase_ratio", "ratio"};
  std::string why = why_no_steps(input);
  if (why.empty()) {
    why = why_no_marked_steps(input);
  }
  if (!why.empty()) {
    return not_applicable(kName, why);
  }
  const std::vector<Phase> phases = table::find_phases(input.timeline, input.tree);
  const bool is_any = std::any_of(phases.begin(), phases.end(), [](Phase phase) {
    return phase == Phase::forward || phase == Phase::backward || phase == Phase::optimizer;
  });
  if (!is_any) {
    return not_applicable(kName, "nothing marks forward, backward or optimizer");
  }
  const profile::Intervals in_phases =
      profile::unite(profile::unite(stretches(input, phases)), waits_for_work(input));
  const profile::Intervals outside = profile::subtract(input.partition.steps.covered(), in_phases);
  return share_of_steps(std::string(kName.id), length_ns(outside), input);
}

}  // namespace tune::metric
