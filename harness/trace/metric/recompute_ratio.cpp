#include "trace/metric/recompute_ratio.h"

#include "trace/intervals.h"
#include "trace/metric/metric.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

using profile::kNone;

constexpr MetricName kName = {"recompute_ratio", "ratio"};

bool is_recompute(std::string_view name) {
  return name == "recompute";
}

// By event: rows of such a range, and rows within them.
std::vector<bool> rows_within(const TraceInput& input) {
  NamesThat is_range(input.timeline, is_recompute);
  std::vector<bool> is_within(input.timeline.events.size());
  for (std::uint32_t i = 0; i < is_within.size(); ++i) {  // parents before their children
    if (!input.tree.is_row(i)) {
      continue;
    }
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t parent = input.tree.parent[i];
    is_within[i] = (parent != kNone && is_within[parent]) ||
                   (event.category == profile::Category::user_annotation && is_range(event));
  }
  return is_within;
}

}  // namespace

Metric recompute_ratio(const TraceInput& input) {
  if (const std::string why = why_no_steps(input); !why.empty()) {
    return not_applicable(kName, why);
  }
  const std::vector<bool> is_within = rows_within(input);
  std::vector<profile::Interval> host, device;
  for (std::uint32_t i = 0; i < is_within.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    const std::uint32_t issuing = input.issuing_row[i];
    if (is_within[i]) {
      host.push_back({event.start_ns, event.end_ns()});
    } else if (issuing != kNone && is_within[issuing]) {
      device.push_back({event.start_ns, event.end_ns()});
    }
  }
  if (host.empty()) {
    return not_applicable(kName, "no range is called recompute");
  }
  auto& times = input.partition.has_device_rows ? device : host;
  const profile::Intervals within =
      profile::intersect(profile::unite(std::move(times)), input.partition.steps.covered());
  return share_of_steps(std::string(kName.id), length_ns(within), input);
}

}  // namespace tune::metric
