#include "trace/metric/zero_fills.h"

#include "trace/metric/metric.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tune::metric {

namespace {

using profile::kNone;
using table::Phase;

constexpr std::array<MetricName, 2> kNames = {
    {{"zero_fill_count", "count"}, {"zero_fill_ratio", "ratio"}}};

bool is_zero_fill(std::string_view name) {
  return name == "aten::zero_" || name == "aten::_foreach_zero_";
}

struct Fills {
  double count = 0;
  std::vector<profile::Interval> host, work;
};

Fills find_fills(const TraceInput& input) {
  const std::vector<Phase>& phases = input.phases;
  NamesThat is_fill(input.timeline, is_zero_fill);
  std::vector<bool> is_within(phases.size());  // by event: in a fill, or one
  Fills fills;
  for (std::uint32_t i = 0; i < phases.size(); ++i) {  // parents before their children
    const profile::Event& event = input.timeline.events[i];
    if (!input.tree.is_row(i)) {
      continue;
    }
    const std::uint32_t parent = input.tree.parent[i];
    is_within[i] = parent != kNone && is_within[parent];
    if (!is_within[i] && phases[i] == Phase::zero_grad && is_fill(event)) {
      is_within[i] = true;
      fills.count += input.begins_in_step(i) ? 1 : 0;
      fills.host.push_back({event.start_ns, event.end_ns()});
    }
  }
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t issuing = input.issuing_row[i];
    if (issuing != kNone && is_within[issuing]) {
      const profile::Event& work = input.timeline.events[i];
      fills.work.push_back({work.start_ns, work.end_ns()});
    }
  }
  return fills;
}

}  // namespace

std::vector<Metric> zero_fills(const TraceInput& input) {
  if (const std::string why = why_no_operators(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const auto& phases = input.phases;
  if (std::find(phases.begin(), phases.end(), Phase::zero_grad) == phases.end()) {
    return not_applicable(kNames, "no row is called Optimizer.zero_grad#");
  }
  Fills fills = find_fills(input);
  const profile::Intervals alone =
      profile::subtract(profile::unite(std::move(fills.host)), input.partition.any_busy());
  const profile::Intervals within =
      profile::intersect(profile::unite(alone, profile::unite(std::move(fills.work))),
                         input.partition.steps.covered());
  return {over_steps(kNames[0], per_step(fills.count, input), input),
          share_of_steps(std::string(kNames[1].id), length_ns(within), input)};
}

}  // namespace tune::metric
