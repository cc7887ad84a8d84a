#include "metric/critical_path_ratios.h"

#include "metric/why_missing.h"

#include <string>

namespace tune::metric {

namespace {

constexpr MetricName kTime = {"critical_path_time", "s"};
constexpr MetricName kCoverage = {"critical_path_coverage_ratio", "ratio"};

std::string why_no_path(const TraceInput& input) {
  std::string why = why_no_device_work(input);
  return why.empty() ? input.critical_path.reason : why;
}

}  // namespace

std::vector<Metric> critical_path_ratios(const TraceInput& input) {
  const std::string why = why_no_path(input);
  const profile::CriticalPath& path = input.critical_path;
  const auto length_ns = static_cast<double>(path.length_ns);
  std::vector<Metric> metrics;
  metrics.reserve(profile::kPathParts + 2);
  const auto add = [&](const MetricName& name, bool is_known, double value) {
    if (!why.empty() || !is_known) {
      metrics.push_back(not_applicable(name, why.empty() ? "the path takes no time" : why));
      return;
    }
    metrics.push_back(over_steps(name, value, input));
    if (path.inferred_waits > 0) {
      metrics.back().warnings.emplace_back(kInferredWaits);
    }
  };
  add(kTime, true, why.empty() ? per_step(length_ns * 1e-9, input) : 0);
  const auto window_ns = static_cast<double>(path.window.length_ns());
  add(kCoverage, window_ns > 0, window_ns > 0 ? length_ns / window_ns : 0);
  const auto part_ns = path.part_ns();
  for (std::size_t i = 0; i < profile::kPathParts; ++i) {
    std::string id = "critical_path_";
    id += profile::path_part_name(static_cast<profile::PathPart>(i));
    id += "_ratio";
    const bool is_known = path.length_ns > 0;
    add({id, "ratio"}, is_known, is_known ? static_cast<double>(part_ns[i]) / length_ns : 0);
  }
  return metrics;
}

}  // namespace tune::metric
