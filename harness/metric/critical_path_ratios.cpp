#include "metric/critical_path_ratios.h"

#include "metric/why_missing.h"

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
  // A path that takes time lies in a window that does.
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

}  // namespace tune::metric
