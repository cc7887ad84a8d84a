#include "trace/metric/host_fills.h"

#include "trace/metric/operator_sequences.h"
#include "trace/role.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tune::metric {

namespace {

using profile::kNone;

bool is_fill(std::string_view name) {
  return is_pattern_fill(name) || name == "aten::random_" || name == "aten::bernoulli_" ||
         name == "aten::exponential_" || name == "aten::randperm" || name == "aten::arange";
}

// By event: rows of the host in which a device was given work; by track: whether it gives any.
struct Issuers {
  std::vector<bool> rows, tracks;
};

Issuers find_issuers(const TraceInput& input) {
  Issuers found{.rows = std::vector<bool>(input.timeline.events.size()),
                .tracks = std::vector<bool>(input.timeline.tracks.size())};
  for (const std::uint32_t i : input.device_work) {
    std::uint32_t row = input.issuing_row[i];
    if (row != kNone) {
      found.tracks[input.timeline.events[row].track] = true;
    }
    for (; row != kNone && !found.rows[row]; row = input.tree.parent[row]) {
      found.rows[row] = true;
    }
  }
  return found;
}

}  // namespace

Metric host_fill_ratio(const TraceInput& input) {
  constexpr MetricName kName = {"host_fill_ratio", "ratio"};
  const std::string no_operators = why_no_operators(input);
  const std::string why = no_operators.empty() ? why_no_device_work(input) : no_operators;
  if (!why.empty()) {
    return not_applicable(kName, why);
  }
  const Issuers issuers = find_issuers(input);
  NamesThat fills(input.timeline, is_fill);
  std::vector<profile::Interval> rows;
  for (std::uint32_t i = 0; i < input.timeline.events.size(); ++i) {
    const profile::Event& event = input.timeline.events[i];
    if (input.tree.is_row(i) && !issuers.rows[i] && issuers.tracks[event.track] && fills(event)) {
      rows.push_back({event.start_ns, event.end_ns()});
    }
  }
  const auto& loading =
      input.partition.covered[static_cast<std::size_t>(profile::Role::data_loading)];
  const profile::Intervals alone = profile::subtract(
      profile::subtract(profile::unite(std::move(rows)), input.partition.any_busy()), loading);
  return share_of_steps(std::string(kName.id),
                        length_ns(profile::intersect(alone, input.partition.steps.covered())),
                        input);
}

}  // namespace tune::metric
