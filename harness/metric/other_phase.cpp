#include "metric/other_phase.h"

#include "metric/why_missing.h"
#include "table/phase_table.h"

#include <algorithm>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;
using table::Phase;

// Rows of one phase on one thread, one after another.
struct Stretch {
  Phase phase = Phase::other;
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
                          : phases[i] != stretch.phase;
    if (ends) {
      done.push_back(stretch.interval);
      stretch = {phases[i], {event.start_ns, event.start_ns}};
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
  const profile::Intervals in_phases = profile::unite(stretches(input, phases));
  const profile::Intervals outside = profile::subtract(input.partition.steps.covered(), in_phases);
  return share_of_steps(std::string(kName.id), length_ns(outside), input);
}

}  // namespace tune::metric
