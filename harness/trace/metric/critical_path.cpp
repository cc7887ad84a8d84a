#include "trace/metric/critical_path.h"

#include "trace/metric/copies.h"
#include "trace/metric/host_syncs.h"
#include "trace/metric/trace_input.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace tune::metric {

namespace {

constexpr MetricName kTime = {"critical_path_time", "s"};
constexpr MetricName kCoverage = {"critical_path_coverage_ratio", "ratio"};

}  // namespace

std::vector<Metric> critical_path_ratios(const TraceInput& input) {
  const std::string why = why_no_critical_path(input);
  const profile::CriticalPath& path = input.critical_path;
  const auto length_ns = static_cast<double>(path.length_ns);
  std::vector<Metric> metrics;
  metrics.reserve(profile::kPathParts + 2);
  const auto add = [&](const MetricName& name, double value) {
    metrics.push_back(why.empty() ? over_steps(name, value, input) : not_applicable(name, why));
  };
  add(kTime, why.empty() ? per_step(length_ns * 1e-9, input) : 0);
  // No division by 0: a path that takes time is in a window that does.
  add(kCoverage, why.empty() ? length_ns / static_cast<double>(path.window.length_ns()) : 0);
  const auto part_ns = path.part_ns();
  for (std::size_t i = 0; i < profile::kPathParts; ++i) {
    std::string id = "critical_path_";
    id += profile::path_part_name(static_cast<profile::PathPart>(i));
    id += "_ratio";
    add({id, "ratio"}, why.empty() ? static_cast<double>(part_ns[i]) / length_ns : 0);
  }
  if (why.empty()) {
    label_inferred_waits(metrics, input);
  }
  return metrics;
}

namespace {

using profile::kNone;
using profile::PathEdge;
using profile::PathPart;

constexpr std::array<MetricName, 4> kNames = {{{"saved_without_launches_ratio", "ratio"},
                                               {"saved_without_scalar_syncs_ratio", "ratio"},
                                               {"saved_without_syncs_ratio", "ratio"},
                                               {"saved_without_h2d_ratio", "ratio"}}};

// By event: copies to the device, and the calls that issued them.
std::vector<bool> copies_to_device(const TraceInput& input) {
  std::vector<bool> is_found(input.timeline.events.size());
  for (const std::uint32_t i : input.device_work) {
    const profile::Event& event = input.timeline.events[i];
    if (event.category == profile::Category::memcpy &&
        copy_way(input.timeline.name(event)) == CopyWay::to_device) {
      is_found[i] = true;
      if (input.launches.call_of[i] != kNone) {
        is_found[input.launches.call_of[i]] = true;
      }
    }
  }
  return is_found;
}

// From work of a device to the host, which waits for it.
bool is_wait(const TraceInput& input, const PathEdge& edge) {
  const std::uint32_t from = input.critical_path.graph.rows[edge.from / 2];
  const std::uint32_t to = input.critical_path.graph.rows[edge.to / 2];
  return edge.part == PathPart::sync &&
         profile::is_device_work(input.timeline.events[from].category) &&
         !profile::is_device_work(input.timeline.events[to].category);
}

bool is_host_time(PathPart part) {
  return part == PathPart::cpu || part == PathPart::host_gap || part == PathPart::launch;
}

// Not what passed before the row begins.
bool is_own_time(PathPart part) {
  return part != PathPart::host_gap && part != PathPart::kernel_delay;
}

// What is not busy, of all steps. Nothing that leaves the device its work can save more: the trace
// of a run that waited for one stream need not show what another one would have waited for.
double idle_share(const TraceInput& input, const profile::Intervals& busy) {
  const profile::Intervals within = profile::intersect(busy, input.partition.steps.covered());
  return 1 -
         static_cast<double>(length_ns(within)) / static_cast<double>(input.partition.total_ns());
}

profile::Intervals kernels(const TraceInput& input) {
  const auto covered = [&input](profile::Role role) -> const profile::Intervals& {
    return input.partition.covered[static_cast<std::size_t>(role)];
  };
  return profile::unite(covered(profile::Role::kernel), covered(profile::Role::communication));
}

template <class Weight>
double saved_with(const TraceInput& input, Weight weight_of) {
  const profile::CriticalPath& path = input.critical_path;
  std::vector<std::int64_t> weights_ns;
  weights_ns.reserve(path.graph.edges.size());
  for (const PathEdge& edge : path.graph.edges) {
    weights_ns.push_back(weight_of(edge));
  }
  return 1 - time_if(1, path, longest_path_ns(path.graph, weights_ns));
}

double saved_without_waits(const TraceInput& input, const std::vector<std::uint32_t>& calls) {
  std::vector<bool> is_gone(input.timeline.events.size());
  for (const std::uint32_t call : calls) {
    is_gone[call] = true;
  }
  return saved_with(input, [&](const PathEdge& edge) {
    if (!is_gone[edge.event] || !is_own_time(edge.part)) {
      return edge.weight_ns;
    }
    return is_wait(input, edge) ? profile::kNoEdge : 0;
  });
}

}  // namespace

std::vector<Metric> critical_path_savings(const TraceInput& input) {
  if (const std::string why = why_no_critical_path(input); !why.empty()) {
    return not_applicable(kNames, why);
  }
  const std::vector<bool> is_to_device = copies_to_device(input);
  const double idle = idle_share(input, input.partition.any_busy());
  const double launches = saved_with(
      input, [](const PathEdge& edge) { return is_host_time(edge.part) ? 0 : edge.weight_ns; });
  const double copies = saved_with(input, [&](const PathEdge& edge) {
    const bool is_gone = is_to_device[edge.event] && is_own_time(edge.part);
    return is_gone ? 0 : edge.weight_ns;
  });
  std::vector<Metric> metrics =
      over_steps(kNames,
                 {std::min(launches, idle),
                  std::min(saved_without_waits(input, scalar_sync_calls(input)), idle),
                  std::min(saved_without_waits(input, waiting_calls(input)), idle),
                  std::min(copies, idle_share(input, kernels(input)))},
                 input);
  label_inferred_waits(metrics, input);
  return metrics;
}

}  // namespace tune::metric
