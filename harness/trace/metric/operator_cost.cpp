#include "trace/metric/operator_cost.h"

#include <utility>

namespace tune::metric {

using profile::Interval;
using profile::kNone;

std::int64_t exposed_ns(const TraceInput& input,
                        std::vector<Interval> host,
                        std::vector<Interval> work) {
  const profile::Intervals alone =
      profile::subtract(profile::unite(std::move(host)), input.partition.any_busy());
  return length_ns(profile::intersect(profile::unite(alone, profile::unite(std::move(work))),
                                      input.partition.steps.covered()));
}

OperatorCost operator_cost(const TraceInput& input, NamesThat::Predicate fits) {
  const auto& events = input.timeline.events;
  NamesThat is_kind(input.timeline, fits);
  const std::vector<std::uint32_t> around = table::outermost_that(input.tree, [&](std::uint32_t i) {
    return events[i].category == profile::Category::cpu_op && is_kind(events[i]);
  });
  OperatorCost cost;
  std::vector<Interval> host, work;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    if (around[i] == i) {
      cost.count += input.begins_in_step(i) ? 1 : 0;
      host.push_back({events[i].start_ns, events[i].end_ns()});
    }
  }
  for (const std::uint32_t i : input.device_work) {
    const std::uint32_t issuing = input.issuing_row[i];
    if (issuing != kNone && around[issuing] != kNone) {
      work.push_back({events[i].start_ns, events[i].end_ns()});
    }
  }
  cost.ns = exposed_ns(input, std::move(host), std::move(work));
  return cost;
}

}  // namespace tune::metric
