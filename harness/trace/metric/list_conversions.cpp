#include "trace/metric/list_conversions.h"

#include "trace/event.h"

#include <array>
#include <string>
#include <utility>

namespace tune::metric {

std::vector<Metric> list_conversions(const TraceInput& input) {
  constexpr std::array<MetricName, 2> kNames = {
      {{"list_conversion_count", "count"}, {"list_conversion_ratio", "ratio"}}};
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  NamesThat converts(input.timeline, profile::is_list_conversion);
  bool has_frame = input.timeline.notes.of(profile::NoteKind::python_function).count > 0;
  double count = 0;
  std::vector<profile::Interval> calls;
  for (const profile::Event& event : input.timeline.events) {
    if (event.category != profile::Category::python_function) {
      continue;
    }
    has_frame = true;
    if (converts(event)) {
      count += input.clock.runs_at(event.start_ns) ? 1 : 0;
      calls.push_back({event.start_ns, event.end_ns()});
    }
  }
  if (!has_frame) {
    return not_applicable(kNames, "Python's frames were not recorded (with_stack)");
  }
  const profile::Intervals within =
      profile::intersect(profile::unite(std::move(calls)), input.partition.steps.covered());
  return {over_steps(kNames[0], per_step(count, input), input),
          share_of_steps(std::string(kNames[1].id), length_ns(within), input)};
}

}  // namespace tune::metric
